package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"modernc.org/sqlite"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/footprint"
	"kota/store/faulttest"
)

// crashCommitVar names the commit at which kota-dies is killed; 0 means never.
const crashCommitVar = "KOTA_DIES_AT_COMMIT"

// runUntilCommit is the program, killed without warning right before a commit, which is
// then lost.
func runUntilCommit() {
	at, err := strconv.Atoi(os.Getenv(crashCommitVar))
	if err != nil {
		panic(err)
	}
	var commits atomic.Int64
	sqlite.RegisterConnectionHook(func(c sqlite.ExecQuerierContext, _ string) error {
		c.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 {
			if commits.Add(1) == int64(at) {
				killSelf()
			}
			return 0
		})
		return nil
	})
	footprint.Tune()
	os.Exit(runProcess(localPoster()))
}

// killSelf ends this process like kill -9.
func killSelf() {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	_ = self.Kill()
	select {}
}

// crashPoint is the moment at which a program is killed.
type crashPoint struct {
	at     string // "commit", "request" (which never reaches Google) or "answer" (which never returns)
	number int    // which of them, from 1
}

func (d crashPoint) String() string { return fmt.Sprintf("at %s %d", d.at, d.number) }

// sendingCall is a call that reaches other people.
type sendingCall struct {
	tool       string
	prepare    func(d *testHome, name string) object // makes what the call needs, and returns its arguments
	sent       func(d *testHome, name string) int    // how often somebody was reached
	listServer *listServer                           // the list server that is asked besides Google; nil without one
}

var sendingCalls = map[string]sendingCall{
	"a mail": {tool: "gmail_send_message", sent: mailCount, prepare: func(_ *testHome, name string) object {
		return object{"to": bob, "subject": name, "body": "At noon?", "idempotency_key": name}
	}},
	"a mail without a key": {tool: "gmail_send_message", sent: mailCount, prepare: func(_ *testHome, name string) object {
		return object{"to": bob, "subject": name, "body": "At noon?"}
	}},
	"a reply": {tool: "gmail_reply_message", prepare: func(d *testHome, name string) object {
		got := d.google.User(ann).Deliver(bundletest.GoogleMail{From: bob, To: ann, Subject: name, Text: "When?"})
		return object{"message_id": got.ID, "body": "At noon."}
	}, sent: func(d *testHome, name string) int { return mailCount(d, "Re: "+name) }},
	"a draft": {tool: "gmail_send_draft", sent: mailCount, prepare: func(d *testHome, name string) object {
		var draft struct {
			ID string `json:"draft_id"`
		}
		answer := d.mustCall("gmail_send_message", object{"to": bob, "subject": name, "body": "At noon?", "as_draft": true})
		if err := json.Unmarshal([]byte(answer.raw), &draft); err != nil || draft.ID == "" {
			d.t.Fatalf("%v: %s", err, answer.raw)
		}
		return object{"draft_id": draft.ID}
	}},
	"an invitation": {tool: "calendar_create_event", sent: invitationCount, prepare: func(_ *testHome, name string) object {
		return object{"title": name, "start": someday + "T12:00", "attendees": bob, "notify": "all", "on_conflict": "ignore", "idempotency_key": name}
	}},
	"a change for guests": {tool: "calendar_update_event", sent: invitationCount, prepare: func(d *testHome, name string) object {
		return object{"event_id": withBob(d, name), "location": "Room 4", "notify": "all"}
	}},
	"an answer to an invitation": {tool: "calendar_respond_event", sent: invitationCount, prepare: func(d *testHome, name string) object {
		e := hourEvent(15, name, ann)
		e["iCalUID"] = name
		d.google.User(bob).AddEvent("primary", e)
		for _, own := range d.google.User(ann).Events("primary") {
			if own["summary"] == name {
				return object{"event_id": own["id"], "answer": "no", "notify": "all"}
			}
		}
		d.t.Fatal("the invitation is not in Ann's calendar")
		return nil
	}},
	"a cancellation": {tool: "calendar_delete_event", sent: invitationCount, prepare: func(d *testHome, name string) object {
		return object{"event_id": withBob(d, name), "notify": "all"}
	}},
}

// unsubscribing returns the call that leaves a mailing list on a server on this
// machine.
func unsubscribing() sendingCall {
	lists := newListServer()
	return sendingCall{tool: "gmail_unsubscribe", listServer: lists, prepare: func(d *testHome, name string) object {
		got := d.google.User(ann).Deliver(bundletest.GoogleMail{From: "News <news@list.example>", To: ann, Subject: name, Headers: []string{
			"List-Unsubscribe: <" + lists.URL + "/" + url.PathEscape(name) + ">", "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
			"DKIM-Signature: v=1; d=list.example; s=s1; h=from:list-unsubscribe:list-unsubscribe-post; b=AbCd",
			"Authentication-Results: mx.google.com; dkim=pass header.i=@list.example header.s=s1 header.b=AbCd",
		}})
		return object{"message_id": got.ID, "confirm": true}
	}, sent: func(_ *testHome, name string) int { return lists.requestCount("/" + name) }}
}

func mailCount(d *testHome, name string) int {
	n := 0
	for _, m := range d.google.User(ann).Sent() {
		if m.Header("Subject") == name {
			n++
		}
	}
	return n
}

func invitationCount(d *testHome, name string) int {
	n := 0
	for _, mail := range d.google.Invitations() {
		if mail.Summary == name && mail.By == ann {
			n++
		}
	}
	return n
}

// TestCallSendsAtMostOnceAtEveryCrashPoint kills each sending call before each
// of its commits, before each of its requests reaches Google, and after Google
// has done each. The call is then repeated, as clients and people do. It must
// reach its recipient once, or say that the first outcome is unknown. Without full torture, it
// makes a call of each way to send: a mail, an invitation, and a request to a list server.
func TestCallSendsAtMostOnceAtEveryCrashPoint(t *testing.T) {
	unsubscribe := unsubscribing()
	t.Cleanup(unsubscribe.listServer.Close)
	all := maps.Clone(sendingCalls)
	if !faulttest.FullTorture() {
		maps.DeleteFunc(all, func(name string, _ sendingCall) bool { return name != "a mail" && name != "an invitation" })
		t.Logf("%d calls are left to `make torture`", len(sendingCalls)-len(all))
	}
	all["leaving a list"] = unsubscribe
	for name, l := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newCalendarHome(t, "send: allow\nlimits: {sends_per_hour: off, sends_per_day: off}\n")
			if err := os.Remove(filepath.Join(d.home, "kota.db")); err != nil { // the first program that dies creates it
				t.Fatal(err)
			}
			ended := 0
			for _, at := range []string{"commit", "request", "answer"} {
				for number := 1; ; number++ {
					died := l.crashAndRepeat(d, crashPoint{at, number})
					if t.Failed() {
						return
					}
					if !died {
						break
					}
					ended++
				}
			}
			if ended < 6 {
				t.Errorf("it was ended at %d points, which cannot be all", ended)
			}
			t.Logf("ended at %d points", ended)
		})
	}
}

// crashAndRepeat makes the call in a program that dies at that point, repeats it, and
// checks that somebody was reached once. It reports whether the program died.
func (l sendingCall) crashAndRepeat(d *testHome, point crashPoint) bool {
	d.t.Helper()
	name := "Lunch " + point.String()
	args, err := json.Marshal(l.prepare(d, name))
	if err != nil {
		d.t.Fatal(err)
	}
	died := d.runUntilCrash(l.listServer, point, "call", l.tool, string(args))
	if got := l.sent(d, name); got > 1 || !died && got != 1 {
		d.t.Fatalf("%s: reached %d times before anything is repeated", point, got)
	}
	d.expireLeases()
	stderr, status := d.runAgain(l.listServer, "call", l.tool, string(args))
	got, unknown := l.sent(d, name), strings.Contains(stderr, "OUTCOME_UNKNOWN")
	if got > 1 || status == 0 && got != 1 || status != 0 && !unknown {
		d.t.Errorf("%s: reached %d times; the call again ends with %d: %s", point, got, status, stderr)
	}
	return died
}

// runUntilCrash runs a program that is killed at that point, and reports whether it
// died. lists, if not nil, are asked besides Google.
func (d *testHome) runUntilCrash(lists *listServer, point crashPoint, args ...string) bool {
	d.t.Helper()
	child := exec.Command("kota-dies", args...)
	started, killed := make(chan struct{}), make(chan struct{})
	gate := &gateway{to: d.google.URL(), crash: point, kill: func() { <-started; _ = child.Process.Kill(); <-killed }}
	between := httptest.NewServer(gate)
	defer between.Close()
	if lists != nil {
		lists.gate.Store(gate)
		defer lists.gate.Store(nil)
	}
	at := 0
	if point.at == "commit" {
		at = point.number
	}
	child.Env = d.crashEnv(at, between.URL)
	var output bytes.Buffer
	child.Stdout, child.Stderr = &output, &output
	if err := child.Start(); err != nil {
		d.t.Fatal(err)
	}
	close(started)
	err := child.Wait()
	close(killed)
	if child.ProcessState.ExitCode() == -1 {
		return true
	}
	if err != nil {
		d.t.Fatalf("%s: %v: %s", point, err, output.String())
	}
	return false
}

// crashEnv returns the environment of a program that is killed at that commit.
func (d *testHome) crashEnv(at int, google string) []string {
	return append(os.Environ(), "KOTA_HOME="+d.home, "KOTA_CONFIG=", fmt.Sprint(crashCommitVar, "=", at), "KOTA_GOOGLE_ENDPOINT="+google, "KOTA_NOW="+d.clock)
}

// runAgain runs a command to its end, with a program that can reach lists if they
// are not nil.
func (d *testHome) runAgain(lists *listServer, args ...string) (stderr string, status int) {
	d.t.Helper()
	if lists == nil {
		_, stderr, status = d.run(args...)
		return stderr, status
	}
	child := exec.Command("kota-dies", args...)
	child.Env = d.crashEnv(0, d.google.URL())
	var output bytes.Buffer
	child.Stderr = &output
	if err := child.Run(); child.ProcessState == nil {
		d.t.Fatal(err)
	}
	return output.String(), child.ProcessState.ExitCode()
}

// expireLeases lets the time pass for which a dead process keeps its outbox
// items.
func (d *testHome) expireLeases() {
	d.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(d.home, "kota.db"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer db.Close()
	var made bool // the first commit makes the tables
	err = db.QueryRow("SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'outbox')").Scan(&made)
	if err == nil && made {
		_, err = db.Exec("UPDATE outbox SET lease = 0")
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// gateway passes requests on to Google, and kills the program that sends them.
type gateway struct {
	to    string
	crash crashPoint
	kill  func()

	mu           sync.Mutex
	requestCount int
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.forward(func() (reply func()) {
		asked, err := http.NewRequestWithContext(r.Context(), r.Method, g.to+r.URL.RequestURI(), r.Body)
		if err != nil {
			panic(err)
		}
		asked.Header, asked.ContentLength = r.Header, r.ContentLength
		answer, err := http.DefaultTransport.RoundTrip(asked)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		return func() {
			for name, values := range answer.Header {
				w.Header()[name] = values
			}
			w.WriteHeader(answer.StatusCode)
			_, _ = io.Copy(w, answer.Body)
			answer.Body.Close()
		}
	})
}

// forward carries out a request and returns the answer, unless the program must be
// killed before either.
func (g *gateway) forward(do func() (reply func())) {
	g.mu.Lock()
	g.requestCount++
	now := g.requestCount == g.crash.number
	g.mu.Unlock()
	if now && g.crash.at == "request" {
		g.kill()
		panic(http.ErrAbortHandler)
	}
	reply := do()
	if now && g.crash.at == "answer" {
		g.kill()
		panic(http.ErrAbortHandler)
	}
	reply()
}
