package gmail_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/gmail/internal/mailboxtest"
	"kota/store"
	"kota/store/enginetest"
)

const (
	maxMemory  = 256 << 20 // bytes, for a process that reads a hostile message
	hostileURL = "KOTA_TEST_HOSTILE_URL"
)

// hostile maps message ids to functions that write a hostile message with format=full.
var hostile = map[string]func(io.Writer){
	"text": func(w io.Writer) { // 150 MB of base64
		fmt.Fprint(w, `{"id":"text","threadId":"text","payload":{"mimeType":"text/plain","body":{"size":112500000,"data":"`)
		writeRepeated(w, base64.URLEncoding.EncodeToString([]byte("<b>abc")), 150<<20)
		fmt.Fprint(w, `"}}}`)
	},
	"headers": func(w io.Writer) { // 150 MB of headers
		fmt.Fprint(w, `{"id":"headers","threadId":"headers","payload":{"mimeType":"text/plain","headers":[`)
		writeRepeated(w, `{"name":"X-A","value":"b"},`, 150<<20)
		fmt.Fprint(w, `{"name":"X-A","value":"b"}]}}`)
	},
	"parts": func(w io.Writer) { // 50,000 parts
		fmt.Fprint(w, `{"id":"parts","threadId":"parts","payload":{"mimeType":"multipart/mixed","parts":[`)
		writeRepeated(w, `{"partId":"1","mimeType":"text/plain","body":{"size":6,"data":"SGVsbG8g"}},`, 50_000*72)
		fmt.Fprint(w, `{"partId":"1","mimeType":"text/plain","body":{"size":6,"data":"SGVsbG8g"}}]}}`)
	},
	"deep": func(w io.Writer) { // 5,000 nested parts: too deep for encoding/json
		fmt.Fprint(w, `{"id":"deep","threadId":"deep","payload":`+strings.Repeat(`{"mimeType":"multipart/mixed","parts":[`, 5000)+strings.Repeat(`]}`, 5000)+`}`)
	},
	"html": func(w io.Writer) { // as much HTML as the size limit allows
		fmt.Fprint(w, `{"id":"html","threadId":"html","payload":{"mimeType":"text/html","body":{"size":1,"data":"`)
		writeRepeated(w, base64.URLEncoding.EncodeToString([]byte("<table><tr><td><div style=a:b><a href=c>d")), 15<<20)
		fmt.Fprint(w, `"}}}`)
	},
	"garbage": func(w io.Writer) { fmt.Fprint(w, `{"id":"garbage","payload":{"mimeType":["text/plain"],"body":7}}`) },
}

// hostileGmail serves the hostile messages. Requests for headers only get a normal
// answer.
func hostileGmail(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, id, isMessage := strings.Cut(r.URL.Path, "/messages/")
	switch {
	case !isMessage:
		fmt.Fprint(w, `{"labels":[]}`)
	case r.URL.Query().Get("format") == "full":
		hostile[id](w)
	default:
		fmt.Fprintf(w, `{"id":%q,"threadId":%[1]q,"internalDate":"1790000000000","payload":{"headers":[{"name":"Subject","value":"Hostile"}]}}`, id)
	}
}

// TestHostileMessageNeedsLittleMemory reads each message in a separate process
// and checks how much memory that process used.
func TestHostileMessageNeedsLittleMemory(t *testing.T) {
	if underRace {
		t.Skip("the race detector takes memory of its own: run it without -race")
	}
	gmailServer := httptest.NewServer(http.HandlerFunc(hostileGmail))
	defer gmailServer.Close()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for id := range hostile {
		t.Run(id, func(t *testing.T) {
			child := exec.CommandContext(t.Context(), binary, "-test.run=^TestReadHostileMessageChild$", "-test.v")
			child.Env = append(os.Environ(), hostileURL+"="+gmailServer.URL+"/#"+id)
			out, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			_, output, _ := strings.Cut(string(out), "peak memory ")
			output, _, _ = strings.Cut(output, " ")
			peak, err := strconv.ParseInt(output, 10, 64)
			if err != nil {
				t.Fatalf("the output has no peak memory: %s", out)
			}
			t.Logf("%d MB", peak>>20)
			if peak > maxMemory {
				t.Errorf("it took %d MB, want at most %d", peak>>20, maxMemory>>20)
			}
		})
	}
}

// TestReadHostileMessageChild is the process that reads one hostile message.
func TestReadHostileMessageChild(t *testing.T) {
	endpoint, id, ok := strings.Cut(os.Getenv(hostileURL), "/#")
	if !ok {
		t.Skip("only TestHostileMessageNeedsLittleMemory runs it")
	}
	b := gmail.New(gmail.Deps{
		Accounts: func() ([]gmail.Account, error) { return []gmail.Account{{Name: "home", Address: ann}}, nil },
		Client:   func(context.Context, string) (*http.Client, error) { return http.DefaultClient, nil },
		Endpoint: func() string { return endpoint },
		Stores:   mailboxtest.Stores(func(context.Context) (enginetest.Database, error) { return nil, store.ErrClosed }),
		Files:    func() gmail.Files { return gmail.Files{} },
		Now:      func() time.Time { return noon },
	})
	got := bundletest.Must[messagesAnswer](t, b, "gmail_get_message", args{"id": id})
	if len(got.Messages) != 1 || got.Messages[0].Note == "" {
		raw, _ := json.Marshal(got)
		t.Errorf("got %.500s", raw)
	}
	fmt.Printf("peak memory %d bytes\n", peakMemory(t))
}

// peakMemory returns the largest resident memory of this process. getrusage is not
// suitable: it also counts the memory of the parent process.
func peakMemory(t *testing.T) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	peak, _, _ = strings.Cut(peak, "kB")
	kilobytes, err := strconv.ParseInt(strings.TrimSpace(peak), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
