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

// sendMail calls gmail_send_message like a client of 2026-07-28 with these
// capabilities, and returns the answer.
func (w *httpServer) sendMail(capabilities string, mail, beside object) string {
	w.t.Helper()
	params := object{"name": "gmail_send_message", "arguments": mail}
	maps.Copy(params, beside)
	body, headers := modernRequestOf(capabilities, "tools/call", params)
	got := w.ask(http.MethodPost, body, headers)
	if got.status != http.StatusOK {
		w.t.Errorf("answered %d %s", got.status, got.body)
	}
	return got.body
}

// questionState returns the state of the question in an answer.
func questionState(t *testing.T, body string) string {
	t.Helper()
	var answer struct{ Result inputRequired }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Result.Type != "input_required" || answer.Result.State == "" {
		t.Fatalf("the user is not asked: %v %s", err, body)
	}
	answer.Result.Requests["approve"].Params.checkShown(t, "bob@example.com", "At noon?")
	return answer.Result.State
}

// Over HTTP only the state connects a question with its answer: they come on
// two connections, and perhaps from two clients of one user.
func TestMailApprovedOverHTTPIsSentOnce(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	w := startHTTPServer(t, d.home)
	state := questionState(t, w.sendMail(canShowForms, lunch, nil))
	d.checkSent(0, "while the user is asked")
	if got := w.sendMail(canShowForms, lunch, answerParams(state, `{"action":"decline"}`)); !strings.Contains(got, "REFUSED") {
		t.Errorf("declined: answered %s", got)
	}
	if got := w.sendMail(canShowForms, lunch, answerParams(state, yesAnswer)); !strings.Contains(got, "REFUSED") {
		t.Errorf("agreed to after it was declined: answered %s", got)
	}
	d.checkSent(0, "after no")

	state = questionState(t, w.sendMail(canShowForms, lunch, nil))
	if got := w.sendMail(canShowForms, lunch, answerParams(state, yesAnswer)); !strings.Contains(got, `\"sent\"`) {
		t.Errorf("agreed: answered %s", got)
	}
	d.checkSent(1, "after yes")
	for range 2 {
		w.sendMail(canShowForms, lunch, answerParams(state, yesAnswer))
	}
	d.checkSent(1, "after the answer came again")
	w.stop()
}

// A client of 2026-07-28 declares its capabilities with each request. Those of
// other requests, or of other clients, do not matter.
func TestCapabilitiesOfRequestDecideQuestion(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	w := startHTTPServer(t, d.home)
	w.beginSession() // a client up to 2025-11-25 that can ask its user
	questionState(t, w.sendMail(canShowForms, lunch, nil))
	for _, capabilities := range []string{cannotAsk, canOpenLinks, `{"sampling":{}}`} {
		if got := w.sendMail(capabilities, lunch, nil); !strings.Contains(got, "APPROVAL_REQUIRED") || strings.Contains(got, "input_required") {
			t.Errorf("%s: answered %s", capabilities, got)
		}
	}
	questionState(t, w.sendMail(canElicit, lunch, nil))
	d.checkSent(0, "while nobody has agreed")
	for capabilities, status := range map[string]int{`[]`: 400, `"elicitation"`: 400, `null`: 400} {
		body, headers := modernRequestOf(capabilities, "tools/call", object{"name": "gmail_send_message", "arguments": lunch})
		if got := w.ask(http.MethodPost, body, headers); got.status != status || !strings.Contains(got.body, "-32602") {
			t.Errorf("capabilities %s: got %d %s, want %d", capabilities, got.status, got.body, status)
		}
	}
	w.stop()
}

// A signal ends the serving, but not a mail that Google is receiving: it is
// sent, and its client gets the answer. New requests are refused.
func TestSignalOverHTTPLetsMailFinish(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]func(*httpServer) (string, func(*http.Request)){
		"in a session": func(w *httpServer) (string, func(*http.Request)) {
			return toolCall(7, "gmail_send_message", lunch), w.beginSession()
		},
		"in 2026-07-28": func(*httpServer) (string, func(*http.Request)) {
			return modernRequest("tools/call", object{"name": "gmail_send_message", "arguments": lunch})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newSignedInHome(t)
			taken := make(chan struct{}) // closed when Google has the mail
			take := sync.OnceFunc(func() { close(taken) })
			d.google.Fault(bundletest.GoogleFault{Method: sendDraft, OnFault: func() { <-taken }})
			defer take()
			w := startHTTPServer(t, d.home)
			body, headers := request(w)
			answered := make(chan httpAnswer, 1)
			go func() { answered <- w.ask(http.MethodPost, body, headers) }()
			w.waitFor("asks Google to send", func() bool { return d.google.Calls(sendDraft) > 0 })
			if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			w.waitFor("refuses requests", w.refusesRequests)
			take()
			if got := <-answered; got.status != http.StatusOK || !strings.Contains(got.body, `\"sent\"`) {
				t.Errorf("answered %d %s", got.status, got.body)
			}
			<-w.ended
			if err := w.cmd.Wait(); err != nil {
				t.Errorf("it ends with %v; stderr: %s", err, w.stderr.String())
			}
			d.checkSentOnce(1)
			if got := d.outbox(); got.Status != "sent" {
				t.Errorf("the outbox has %+v", got)
			}
		})
	}
}

// waitFor waits until so holds. It fails if the program ends first, or if so
// never holds.
func (w *httpServer) waitFor(what string, so func() bool) {
	w.t.Helper()
	waitFor(w.t, what, func() bool {
		select {
		case <-w.ended:
			w.t.Fatalf("it ends before it %s: %s", what, w.stderr.String())
		default:
		}
		return so()
	})
}

// waitFor waits until so holds. It fails if so never holds.
func waitFor(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never %s", what)
		}
	}
}

// refusesRequests reports whether new requests are refused: nothing listens, or they
// get 503.
func (w *httpServer) refusesRequests() bool {
	w.t.Helper()
	body, headers := modernRequest("tools/list", object{})
	r, err := http.NewRequest(http.MethodPost, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	changeAll(headers, header("Authorization", "Bearer "+w.token), header("Content-Type", "application/json"))(r)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return true
	}
	response.Body.Close()
	return response.StatusCode == http.StatusServiceUnavailable
}
