package main

import (
	"encoding/json"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
)

const sendDraft = "gmail.users.drafts.send"

// newSignedInHome returns a home in which mail can be sent.
func newSignedInHome(t *testing.T) *testHome {
	t.Helper()
	d := newTestHome(t)
	d.configure("send: allow\n")
	d.storeClient()
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	return d
}

var lunch = map[string]any{"to": []string{"bob@example.com"}, "subject": "Lunch", "body": "At noon?", "idempotency_key": "lunch-1"}

// startSending starts a server, makes it send a mail, and returns when the request
// has reached Google.
func (d *testHome) startSending() *process {
	d.t.Helper()
	p := serveIn(d.t, d.home)
	p.send(toolCall("lunch", "gmail_send_message", lunch))
	for deadline := time.Now().Add(30 * time.Second); d.google.Calls(sendDraft) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			d.t.Fatalf("nothing is sent; stderr: %s", p.stderr.String())
		}
	}
	return p
}

// outbox returns the only mail in the outbox.
func (d *testHome) outbox() bundles.OutboxItem {
	d.t.Helper()
	var list struct{ Outbox []bundles.OutboxItem }
	if err := json.Unmarshal([]byte(d.must("outbox", "list", "--json")), &list); err != nil || len(list.Outbox) != 1 {
		d.t.Fatalf("listed %+v, %v", list, err)
	}
	return list.Outbox[0]
}

// checkSentOnce checks that one mail was sent, by that many requests.
func (d *testHome) checkSentOnce(requests int) {
	d.t.Helper()
	if sent, asked := len(d.google.User(ann).Sent()), d.google.Calls(sendDraft); sent != 1 || asked != requests {
		d.t.Errorf("%d mails sent by %d requests, want one by %d", sent, asked, requests)
	}
}

func TestEndOfInputLetsMailFinish(t *testing.T) {
	t.Parallel()
	d := newSignedInHome(t)
	d.google.Fault(bundletest.GoogleFault{Method: sendDraft, Delay: 500 * time.Millisecond})
	answers := d.startSending().end()
	if got := answers["lunch"].call(t); got.IsError || !strings.Contains(got.text(), `"sent"`) {
		t.Errorf("answered %s", got.text())
	}
	if got := d.outbox(); got.Status != "sent" || got.Message != d.google.User(ann).Sent()[0].ID {
		t.Errorf("the outbox has %+v", got)
	}
	d.checkSentOnce(1)
}

func TestSignalLetsMailFinish(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			d := newSignedInHome(t)
			d.google.Fault(bundletest.GoogleFault{Method: sendDraft, Delay: 2500 * time.Millisecond}) // longer than serving waits
			p := d.startSending()
			if err := p.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			p.end()
			if got := d.outbox(); got.Status != "sent" || got.Message != d.google.User(ann).Sent()[0].ID {
				t.Errorf("the outbox has %+v", got)
			}
			d.checkSentOnce(1)
		})
	}
}

func TestHangingMailDoesNotKeepServerAlive(t *testing.T) {
	t.Parallel()
	d := newSignedInHome(t)
	d.google.Fault(bundletest.GoogleFault{Method: sendDraft, Answer: bundletest.GoogleHang})
	answers := d.startSending().end()
	if got := answers["lunch"]; got.Error == nil || !strings.Contains(got.Error.Message, "may have taken effect") {
		t.Errorf("answered %+v", got)
	}
	if got := d.outbox(); got.Status != "unknown" {
		t.Errorf("the outbox has %+v", got)
	}
	if asked := d.google.Calls(sendDraft); asked != 1 {
		t.Errorf("asked %d times to send", asked)
	}
}

func TestKilledServerLeavesMailToResolveByHand(t *testing.T) {
	for name, c := range map[string]struct {
		fault    bundletest.GoogleFault
		requests int
	}{
		"sent":     {bundletest.GoogleFault{Method: sendDraft, Answer: bundletest.GoogleHang, AfterEffect: true}, 1},
		"not sent": {bundletest.GoogleFault{Method: sendDraft, Answer: bundletest.GoogleHang}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newSignedInHome(t)
			withdraw := d.google.Fault(c.fault)
			p := d.startSending()
			if err := p.cmd.Process.Signal(os.Kill); err != nil {
				t.Fatal(err)
			}
			_ = p.cmd.Wait()
			withdraw()
			item := d.outbox()
			if item.Status != "unknown" || !strings.Contains(item.Next, "kota outbox retry "+item.ID) {
				t.Errorf("the outbox has %+v", item)
			}
			if output, _, status := d.run("doctor"); status != 1 || !strings.Contains(output, "1 may or may not have been sent") {
				t.Errorf("doctor ends with %d and says %s", status, output)
			}
			if shown := d.must("outbox", "show", item.ID); !strings.Contains(shown, "Lunch") || !strings.Contains(shown, "At noon?") {
				t.Errorf("shown: %s", shown)
			}
			if output := d.must("outbox", "retry", item.ID); !strings.Contains(output, "sent, as message "+d.google.User(ann).Sent()[0].ID) {
				t.Errorf("retry says %s", output)
			}
			d.checkSentOnce(c.requests)
			if _, stderr, status := d.run("outbox", "drop", item.ID); status != 1 || !strings.Contains(stderr, "CONFLICT") {
				t.Errorf("drop of what was sent ends with %d: %s", status, stderr)
			}
		})
	}
}

func TestRepeatedCallReturnsFirstOutcome(t *testing.T) {
	t.Parallel()
	d := newSignedInHome(t)
	args, err := json.Marshal(lunch)
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Status    string
		MessageID string `json:"message_id"`
		Repeated  bool
	}
	var first, second answer
	for _, into := range []*answer{&first, &second} { // each a separate process, as far as the store knows
		if err := json.Unmarshal([]byte(d.must("call", "gmail_send_message", string(args))), into); err != nil {
			t.Fatal(err)
		}
	}
	if first.Status != "sent" || first.Repeated || !second.Repeated || second.MessageID != first.MessageID {
		t.Errorf("answered %+v, then %+v", first, second)
	}
	d.checkSentOnce(1)
	if _, stderr, status := d.run("call", "gmail_send_message", strings.Replace(string(args), "noon", "one", 1)); status != 1 || !strings.Contains(stderr, "CONFLICT") {
		t.Errorf("another mail under the key: %d, %s", status, stderr)
	}
}
