package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kota/bundles/bundletest"
)

// sends calls gmail_send_message like a client of 2026-07-28 with these
// capabilities, and returns the answer.
func (w *website) sends(capabilities string, mail, beside object) string {
	w.t.Helper()
	params := object{"name": "gmail_send_message", "arguments": mail}
	maps.Copy(params, beside)
	body, headers := modernOf(capabilities, "tools/call", params)
	got := w.ask(http.MethodPost, body, headers)
	if got.status != http.StatusOK {
		w.t.Errorf("answered %d %s", got.status, got.body)
	}
	return got.body
}

// asked returns the state of the question in an answer.
func asked(t *testing.T, body string) string {
	t.Helper()
	var answer struct{ Result inputWanted }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Result.Type != "input_required" || answer.Result.State == "" {
		t.Fatalf("the user is not asked: %v %s", err, body)
	}
	answer.Result.Requests["approve"].Params.shows(t, "bob@example.com", "At noon?")
	return answer.Result.State
}

// Over HTTP only the state connects a question with its answer: they come on
// two connections, and perhaps from two clients of one user.
func TestMailApprovedOverHTTPIsSentOnce(t *testing.T) {
	t.Parallel()
	d := askingDesk(t)
	w := serveWeb(t, d.home)
	state := asked(t, w.sends(showsForms, lunch, nil))
	d.sent(0, "while the user is asked")
	if got := w.sends(showsForms, lunch, broughtBack(state, `{"action":"decline"}`)); !strings.Contains(got, "REFUSED") {
		t.Errorf("declined: answered %s", got)
	}
	if got := w.sends(showsForms, lunch, broughtBack(state, yesAnswer)); !strings.Contains(got, "REFUSED") {
		t.Errorf("agreed to after it was declined: answered %s", got)
	}
	d.sent(0, "after no")

	state = asked(t, w.sends(showsForms, lunch, nil))
	if got := w.sends(showsForms, lunch, broughtBack(state, yesAnswer)); !strings.Contains(got, `\"sent\"`) {
		t.Errorf("agreed: answered %s", got)
	}
	d.sent(1, "after yes")
	for range 2 {
		w.sends(showsForms, lunch, broughtBack(state, yesAnswer))
	}
	d.sent(1, "after the answer came again")
	w.end()
}

// A client of 2026-07-28 declares its capabilities with each request. Those of
// other requests, or of other clients, do not matter.
func TestCapabilitiesOfRequestDecideQuestion(t *testing.T) {
	t.Parallel()
	d := askingDesk(t)
	w := serveWeb(t, d.home)
	w.begin() // a client up to 2025-11-25 that can ask its user
	asked(t, w.sends(showsForms, lunch, nil))
	for _, capabilities := range []string{asksNobody, opensLinks, `{"sampling":{}}`} {
		if got := w.sends(capabilities, lunch, nil); !strings.Contains(got, "APPROVAL_REQUIRED") || strings.Contains(got, "input_required") {
			t.Errorf("%s: answered %s", capabilities, got)
		}
	}
	asked(t, w.sends(asksSomehow, lunch, nil))
	d.sent(0, "while nobody has agreed")
	for capabilities, status := range map[string]int{`[]`: 400, `"elicitation"`: 400, `null`: 400} {
		body, headers := modernOf(capabilities, "tools/call", object{"name": "gmail_send_message", "arguments": lunch})
		if got := w.ask(http.MethodPost, body, headers); got.status != status || !strings.Contains(got.body, "-32602") {
			t.Errorf("capabilities %s: got %d %s, want %d", capabilities, got.status, got.body, status)
		}
	}
	w.end()
}

// A signal ends the serving, but not a mail that Google is receiving: it is
// sent, and its client gets the answer. New requests are refused.
func TestSignalOverHTTPLetsMailFinish(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]func(*website) (string, func(*http.Request)){
		"in a session": func(w *website) (string, func(*http.Request)) {
			return toolCall(7, "gmail_send_message", lunch), w.begin()
		},
		"in 2026-07-28": func(*website) (string, func(*http.Request)) {
			return modern("tools/call", object{"name": "gmail_send_message", "arguments": lunch})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := signedIn(t)
			taken := make(chan struct{}) // closed when Google has the mail
			take := sync.OnceFunc(func() { close(taken) })
			d.google.Fault(bundletest.GoogleFault{Method: sendDraft, Strikes: func() { <-taken }})
			defer take()
			w := serveWeb(t, d.home)
			body, headers := request(w)
			answered := make(chan webAnswer, 1)
			go func() { answered <- w.ask(http.MethodPost, body, headers) }()
			w.until("asks Google to send", func() bool { return d.google.Calls(sendDraft) > 0 })
			if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			w.until("refuses requests", w.refuses)
			take()
			if got := <-answered; got.status != http.StatusOK || !strings.Contains(got.body, `\"sent\"`) {
				t.Errorf("answered %d %s", got.status, got.body)
			}
			<-w.ended
			if err := w.cmd.Wait(); err != nil {
				t.Errorf("it ends with %v; stderr: %s", err, w.stderr.String())
			}
			d.once(1)
			if got := d.outbox(); got.Status != "sent" {
				t.Errorf("the outbox has %+v", got)
			}
		})
	}
}

// until waits until so holds. It fails if the program ends first, or if so
// never holds.
func (w *website) until(what string, so func() bool) {
	w.t.Helper()
	until(w.t, what, func() bool {
		select {
		case <-w.ended:
			w.t.Fatalf("it ends before it %s: %s", what, w.stderr.String())
		default:
		}
		return so()
	})
}

// until waits until so holds. It fails if so never holds.
func until(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never %s", what)
		}
	}
}

// refuses reports whether new requests are refused: nothing listens, or they
// get 503.
func (w *website) refuses() bool {
	w.t.Helper()
	body, headers := modern("tools/list", object{})
	r, err := http.NewRequest(http.MethodPost, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	both(headers, header("Authorization", "Bearer "+w.token), header("Content-Type", "application/json"))(r)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return true
	}
	response.Body.Close()
	return response.StatusCode == http.StatusServiceUnavailable
}
