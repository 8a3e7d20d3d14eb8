package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kota/store/faulttest"
)

// maxMemory is the maximum resident memory of the server, in bytes.
const maxMemory = 256 << 20

// memoryValue returns the kernel's value of that name for the process, in bytes:
// VmRSS is its resident memory, VmHWM the maximum so far.
func (p *process) memoryValue(name string) int64 {
	p.t.Helper()
	return memoryOf(p.t, p.cmd.Process.Pid, name)
}

func memoryOf(t testing.TB, pid int, name string) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(status), name)
	text, _, _ = strings.Cut(text, "kB")
	kilobytes, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

// checkMemory writes to the server and then makes a request. Once so many
// requests are answered, the server must not have exceeded its memory limit.
func (p *process) checkMemory(requests int, write func(io.Writer)) {
	p.t.Helper()
	go func() {
		write(p.stdin)
		io.WriteString(p.stdin, toolCall("alive", "memory_set", object{"key": "alive", "value": "yes"}))
	}()
	for alive := false; !alive || requests > 0; {
		m, more := p.next()
		if !more {
			p.t.Fatalf("it has ended: %s", p.stderr.String())
		}
		switch m.ID {
		case "hello":
		case "alive":
			alive = true
			if result := m.call(p.t); result.IsError {
				p.t.Errorf("afterwards nothing works: %s", result.text())
			}
		default:
			requests--
			if requests == 0 {
				p.t.Logf("the last answer is %.200s", m.Result)
			}
		}
	}
	peak := p.memoryValue("VmHWM:")
	p.t.Logf("%d MB", peak>>20)
	if peak > maxMemory {
		p.t.Errorf("it took %d MB, want at most %d", peak>>20, maxMemory>>20)
	}
}

// writeRepeated writes that many bytes of the text, repeatedly.
func writeRepeated(w io.Writer, text string, bytes int) {
	chunk := strings.Repeat(text, 1+(64<<10)/len(text))
	for left := bytes; left > 0; left -= len(chunk) {
		if _, err := io.WriteString(w, chunk); err != nil {
			return // the reader has stopped
		}
	}
}

// TestNoClientInputTakesMuchMemory sends each input without a pause,
// and then makes a request. With full torture it repeats the input.
func TestNoClientInputTakesMuchMemory(t *testing.T) {
	t.Parallel()
	if raceEnabled {
		t.Skip("the race detector takes memory of its own: run it without -race")
	}
	const head = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"memory_set","arguments":{"key":"k","value":`
	for name, write := range map[string]func(w io.Writer){
		"a line of 400 MB": func(w io.Writer) { writeRepeated(w, "x", 400<<20); io.WriteString(w, "\n") },
		"a million keys": func(w io.Writer) {
			fmt.Fprintf(w, head, 1)
			io.WriteString(w, "{")
			for i := range 1_000_000 {
				fmt.Fprintf(w, `"%d":0,`, i)
			}
			io.WriteString(w, "\"\":0}}}}\n")
		},
		"as many keys as fit": func(w io.Writer) {
			for n := range sampleSize(1, 3) {
				var line strings.Builder
				fmt.Fprintf(&line, head, n)
				line.WriteString("{")
				for i := 0; line.Len() < 4<<20-100; i++ {
					fmt.Fprintf(&line, `"%x":0,`, i)
				}
				line.WriteString("\"\":0}}}}\n")
				io.WriteString(w, line.String())
			}
		},
		"arrays in arrays": func(w io.Writer) {
			for n := range sampleSize(1, 3) {
				fmt.Fprintf(w, head, n)
				io.WriteString(w, "["+strings.TrimSuffix(strings.Repeat(strings.Repeat("[", 400)+strings.Repeat("]", 400)+",", 5000), ",")+"]}}}\n")
			}
		},
		"a value of 10 MB": func(w io.Writer) {
			fmt.Fprintf(w, head, 1)
			io.WriteString(w, `"`)
			writeRepeated(w, "x", 10<<20)
			io.WriteString(w, "\"}}}\n")
		},
		"values of 1 MB, ten times": func(w io.Writer) {
			for n := range 10 {
				fmt.Fprintf(w, head, n)
				io.WriteString(w, `"`+strings.Repeat("<a> ", 250_000)+"\"}}}\n")
			}
		},
		"thousands of searches": func(w io.Writer) {
			for n := range sampleSize(1_000, 5_000) {
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"kota_discover_bundles","arguments":{"query":"remember what I like %d"}}}`+"\n", n, n)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			serveIn(t, t.TempDir()).checkMemory(0, write)
		})
	}
}

// hostileGoogle answers every request with as much as permitted: endless lists,
// and messages, attachments and events of 15 MB.
func hostileGoogle(w http.ResponseWriter, r *http.Request) {
	const most, mostOfList = 15 << 20, 7 << 20 // just below the limits for answers
	w.Header().Set("Content-Type", "application/json")
	path := r.URL.Path
	list := func(of, item string) {
		fmt.Fprintf(w, `{"nextPageToken":"more","%s":[`, of)
		writeRepeated(w, item+",", mostOfList)
		fmt.Fprint(w, item+"]}")
	}
	switch {
	case strings.HasPrefix(path, "/batch"):
		http.Error(w, `{"error":{"code":404}}`, http.StatusNotFound)
	case strings.Contains(path, "/attachments/"):
		fmt.Fprintf(w, `{"size":%d,"data":"`, most*3/4)
		writeRepeated(w, base64.URLEncoding.EncodeToString([]byte("<b>abc")), most)
		fmt.Fprint(w, `"}`)
	case strings.HasSuffix(path, "/messages"):
		list("messages", `{"id":"18c0ffee","threadId":"18c0ffee"}`)
	case strings.HasSuffix(path, "/threads"):
		list("threads", `{"id":"18c0ffee","snippet":"x"}`)
	case strings.HasSuffix(path, "/drafts"):
		list("drafts", `{"id":"r1","message":{"id":"18c0ffee","threadId":"18c0ffee"}}`)
	case strings.HasSuffix(path, "/labels"):
		list("labels", `{"id":"Label_1","name":"a","type":"user"}`)
	case strings.HasSuffix(path, "/filters"):
		list("filter", `{"id":"f","criteria":{"from":"a@example.com"},"action":{"addLabelIds":["Label_1"]}}`)
	case strings.HasSuffix(path, "/history"):
		list("history", `{"id":"7","messagesAdded":[{"message":{"id":"18c0ffee","threadId":"18c0ffee"}}]}`)
	case strings.HasSuffix(path, "/calendarList"):
		list("items", `{"id":"primary","summary":"a","accessRole":"owner","primary":true,"timeZone":"UTC"}`)
	case strings.HasSuffix(path, "/events"), strings.HasSuffix(path, "/instances"):
		list("items", `{"id":"e1","status":"confirmed","summary":"a","start":{"dateTime":"2027-01-15T10:00:00Z"},"end":{"dateTime":"2027-01-15T11:00:00Z"},"attendees":[{"email":"bob@example.com"}]}`)
	case strings.HasSuffix(path, "/freeBusy"):
		fmt.Fprint(w, `{"calendars":{"primary":{"busy":[`)
		writeRepeated(w, `{"start":"2027-01-15T10:00:00Z","end":"2027-01-15T11:00:00Z"},`, mostOfList)
		fmt.Fprint(w, `{"start":"2027-01-15T10:00:00Z","end":"2027-01-15T11:00:00Z"}]}}}`)
	case strings.Contains(path, "/threads/"):
		fmt.Fprint(w, `{"id":"18c0ffee","messages":[`)
		writeRepeated(w, `{"id":"18c0ffee","threadId":"18c0ffee","payload":{"mimeType":"text/plain","body":{"size":6,"data":"SGVsbG8g"}}},`, most)
		fmt.Fprint(w, `{"id":"18c0ffee","threadId":"18c0ffee"}]}`)
	case strings.Contains(path, "/messages/"), strings.Contains(path, "/drafts/"):
		fmt.Fprint(w, `{"id":"18c0ffee","threadId":"18c0ffee","internalDate":"1790000000000","payload":{"mimeType":"text/html","headers":[{"name":"Subject","value":"Hostile"}],"body":{"size":1,"data":"`)
		writeRepeated(w, base64.URLEncoding.EncodeToString([]byte("<p>a<b>c")), most)
		fmt.Fprint(w, `"}}}`)
	default:
		writeRepeated(w, " ", 1<<30)
	}
}

// TestNoGoogleAnswerTakesMuchMemory makes the same request four times
// at once, as a model may.
func TestNoGoogleAnswerTakesMuchMemory(t *testing.T) {
	t.Parallel()
	if raceEnabled {
		t.Skip("the race detector takes memory of its own: run it without -race")
	}
	hostile := httptest.NewServer(http.HandlerFunc(hostileGoogle))
	t.Cleanup(hostile.Close)
	d := newCalendarHome(t, "")
	into := t.TempDir()
	writeFile(t, filepath.Join(d.home, "bundles.yaml"), []byte(fmt.Sprintf(
		"google: {tokens: file, endpoint: %q}\nbundles: {gmail: on, calendar: on}\nattachments: {into: %q}\n", hostile.URL, into)))
	asked := map[string]object{
		"gmail_search_messages":   {"query": "hostile"},
		"gmail_get_message":       {"id": "18c0ffee"},
		"gmail_get_thread":        {"id": "18c0ffee"},
		"gmail_get_attachment":    {"message_id": "18c0ffee", "attachment": "1"},
		"gmail_list_labels":       {},
		"gmail_list_drafts":       {},
		"calendar_list_events":    {"from": "2027-01-15", "to": "2027-01-15"},
		"calendar_list_calendars": {},
		"calendar_get_event":      {"event_id": "e1"},
		"calendar_find_slots":     {"from": "2027-01-15", "to": "2027-01-15", "attendees": []string{"bob@example.com"}},
		"daily_briefing":          {},
	}
	if !faulttest.FullTorture() { // one answer of each kind: a message, a file, a list
		kept := []string{"gmail_get_message", "gmail_get_attachment", "calendar_list_events"}
		t.Logf("%d tools are left to `make torture`", len(asked)-len(kept))
		maps.DeleteFunc(asked, func(tool string, _ object) bool { return !slices.Contains(kept, tool) })
	}
	for tool, args := range asked {
		t.Run(tool, func(t *testing.T) {
			serveIn(t, d.home).checkMemory(4, func(w io.Writer) {
				for i := range 4 {
					io.WriteString(w, toolCall(i, tool, args))
				}
			})
		})
	}
}

func TestIdleServerReleasesStartMemory(t *testing.T) {
	t.Parallel()
	p := start(t, exec.Command("kota", "serve"), t.TempDir())
	p.next() // it has started
	first := memoryOf(t, p.cmd.Process.Pid, "RssFile:")
	for begun := time.Now(); memoryOf(t, p.cmd.Process.Pid, "RssFile:") > first*2/3; time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatalf("of %d KB of its file it still has %d", first>>10, memoryOf(t, p.cmd.Process.Pid, "RssFile:")>>10)
		}
	}
	if output := p.ask(toolCall("a", "memory_set", object{"key": "theme", "value": "dark"})).call(t); output.IsError {
		t.Errorf("then it answers %s", output.text())
	}
	if output := p.ask(toolCall("b", "memory_get", object{"key": "theme"})).call(t); !strings.Contains(output.text(), "dark") {
		t.Errorf("then it answers %s", output.text())
	}
}
