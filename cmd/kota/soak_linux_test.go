package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
)

// countsFile names the variable with the file in which a watched server writes
// its number of goroutines.
const countsFile = "KOTA_TEST_COUNTS"

// runWatched is the program, which also reports how many goroutines it has.
func runWatched() {
	const pause = 50 * time.Millisecond
	go func() {
		for {
			_ = os.WriteFile(os.Getenv(countsFile), []byte(strconv.Itoa(runtime.NumGoroutine())), 0o600)
			time.Sleep(pause)
		}
	}()
	main()
}

// sample is what a server holds while it is idle.
type sample struct{ goroutines, files, kilobytes int }

// sample waits until the counts are current, and takes a sample.
func (p *process) sample(counts string) sample {
	p.t.Helper()
	const settled = 300 * time.Millisecond // for connections to close and timers to end
	time.Sleep(settled)
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	goroutines := 0
	for goroutines == 0 { // it is being written
		raw, err := os.ReadFile(counts)
		if err != nil {
			p.t.Fatal(err)
		}
		goroutines, _ = strconv.Atoi(string(raw))
	}
	return sample{goroutines, len(files), int(p.memoryValue("VmRSS:") >> 10)}
}

// callRound returns a mix of calls. Their ids begin with the prefix, those of
// cancelled calls with "x".
func callRound(prefix string) (lines string, asked int) {
	var all strings.Builder
	ask := func(tool string, args any) {
		all.WriteString(toolCall(prefix+strconv.Itoa(asked), tool, args))
		asked++
	}
	for i := range 4 {
		key := fmt.Sprint("soak ", i)
		ask("memory_set", object{"key": key, "value": prefix})
		ask("memory_get", object{"query": key})
		ask("memory_search", object{"query": "soak"})
		ask("daily_log", object{"text": "walked", "key": key})
		ask("gmail_search_messages", object{"query": "lunch"})
		ask("calendar_list_events", object{"from": someday, "to": someday})
		ask("kota_discover_bundles", object{"query": "remember what I like"})
		ask("kota_read", object{"bundle": "memory", "action": "list"})
	}
	ask("daily_briefing", object{})
	ask("gmail_get_message", object{"ids": []string{"nowhere"}})
	ask("calendar_create_event", object{"title": "Soak", "start": someday + "T08:00", "end": someday + "T09:00", "attendees": []string{bob}, "notify": "all"})
	ask("gmail_send_message", object{"to": []string{bob}, "subject": "Soak", "body": prefix})
	ask("memory_set", object{"value": 7})
	ask("no_such_tool", object{})
	for _, id := range []string{"a", "b", "c"} { // Google does not answer these
		id = "x" + id + prefix
		all.WriteString(toolCall(id, "gmail_get_thread", object{"id": "18c0ffee18c0ffee"}))
		fmt.Fprintf(&all, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%q}}`+"\n", id)
	}
	for _, method := range []string{`"tools/list"`, `"ping"`, `"resources/read","params":{"uri":"kota://bundles"}`, `"prompts/get","params":{"name":"kota_guide"}`, `"no/such"`} {
		fmt.Fprintf(&all, `{"jsonrpc":"2.0","id":"%s%d","method":%s}`+"\n", prefix, asked, method)
		asked++
	}
	all.WriteString("garbage\n")
	return all.String(), asked
}

// readAnswers reads messages until asked calls whose ids begin with prefix have
// been answered. It replies to the server's questions in turn with yes, with
// no, and with an error.
func (p *process) readAnswers(prefix string, asked int) {
	p.t.Helper()
	for asked > 0 {
		m, more := p.next()
		if !more {
			p.t.Fatalf("it has ended: %s", p.stderr.String())
		}
		id, _ := m.ID.(string)
		switch {
		case strings.HasPrefix(id, prefix):
			asked--
		case m.Method != "":
			replies := []string{`"result":` + yesAnswer, `"result":{"action":"decline"}`, `"error":{"code":-32603,"message":"nobody is here"}`}
			number, _ := m.ID.(float64)
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,%s}`+"\n", m.ID, replies[int(number)%len(replies)]))
		}
	}
}

// TestSoakedServerDoesNotGrow makes all kinds of calls for as long as
// KOTA_SOAK says, with cancelled calls, errors, an unreliable Google, and other
// servers that start and are killed. `make soak` runs it for an hour.
func TestSoakedServerDoesNotGrow(t *testing.T) {
	text := os.Getenv("KOTA_SOAK")
	if text == "" {
		t.Skip("it takes its time: run `make soak`, or set KOTA_SOAK to how long it may take")
	}
	lasts, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("KOTA_SOAK: %v", err)
	}
	d := newCalendarHome(t, "limits: {sends_per_hour: off, sends_per_day: off, destroys_per_hour: off}\n") // it sends for an hour
	d.google.User(ann).Deliver(bundletest.GoogleMail{From: bob, Subject: "Lunch"})
	d.google.User(ann).AddEvent("primary", hourEvent(10, "Standup"))
	d.google.Fault(bundletest.GoogleFault{Method: "gmail.users.threads.get", Answer: bundletest.GoogleHang})
	counts := filepath.Join(t.TempDir(), "goroutines")
	server := exec.Command("kota-watched", "serve")
	server.Env = []string{countsFile + "=" + counts}
	p := launch(t, server, d.home)
	p.send(strings.Replace(initializeLine, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1))

	var samples []sample
	for end, n := time.Now().Add(lasts), 0; time.Now().Before(end) || len(samples) < 6; n++ {
		faults := []bundletest.GoogleFault{
			{Method: "calendar.events.list", Answer: bundletest.GoogleReset, Times: 1},
			{Method: "gmail.users.messages.list", Answer: bundletest.GoogleTruncated, Times: 1},
			{Method: "calendar.events.insert", Status: 503, Times: 1},
			{Method: "token", Status: 500, Times: 1},
		}
		withdraw := d.google.Fault(faults[n%len(faults)])
		prefix := fmt.Sprintf("r%d-", n)
		lines, asked := callRound(prefix)
		go io.WriteString(p.stdin, lines)
		p.readAnswers(prefix, asked)
		withdraw()
		if n%5 == 4 {
			other := serveIn(t, d.home)
			other.send(lines)
			if err := other.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = other.cmd.Wait()
			for _, pending := range d.pending() { // at most a hundred may be pending
				d.must("reject", pending.ID)
			}
		}
		samples = append(samples, p.sample(counts))
	}
	p.end()
	third := max(len(samples)/3, 1)
	first, last := samples[:third], samples[len(samples)-third:]
	t.Logf("%d rounds; at first %+v, at last %+v", len(samples), first[third-1], last[third-1])
	for what, c := range map[string]struct {
		of    func(sample) int
		slack int
	}{
		"goroutines": {func(s sample) int { return s.goroutines }, 10},
		"open files": {func(s sample) int { return s.files }, 10},
		"kilobytes":  {func(s sample) int { return s.kilobytes }, 32 << 10},
	} {
		most, least := slices.Max(mapSamples(first, c.of)), slices.Min(mapSamples(last, c.of))
		if least > most+c.slack {
			t.Errorf("%s grow: %d at most in the first third, %d at least in the last", what, most, least)
		}
	}
}

func mapSamples(all []sample, of func(sample) int) []int {
	var values []int
	for _, s := range all {
		values = append(values, of(s))
	}
	return values
}
