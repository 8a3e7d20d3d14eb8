package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kota/bundles/bundletest"
)

// newAskingHome returns a home in which Ann is asked before anything is sent or
// destroyed. It enables gmail, unless other bundles are named.
func newAskingHome(t *testing.T, named ...string) *testHome {
	t.Helper()
	d := newTestHome(t)
	if len(named) > 0 {
		d.bundles = strings.Join(named, ", ")
	}
	d.clock = testTime
	d.configure("send: ask\ndestroy: ask\n")
	d.storeClient()
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	return d
}

// checkSent checks how many mails were sent, by as many requests.
func (d *testHome) checkSent(want int, when string) {
	d.t.Helper()
	if sent, asked := len(d.google.User(ann).Sent()), d.google.Calls(sendDraft); sent != want || asked != want {
		d.t.Errorf("%s: %d mails are sent by %d requests, want %d by %d", when, sent, asked, want, want)
	}
}

// pendingCall is a line of `kota pending --json`.
type pendingCall struct {
	ID, Title, Text string
	Tool            string `json:"tool_name"`
}

// pending returns the pending calls.
func (d *testHome) pending() []pendingCall {
	d.t.Helper()
	var list struct{ Pending []pendingCall }
	if err := json.Unmarshal([]byte(d.must("pending", "--json")), &list); err != nil {
		d.t.Fatal(err)
	}
	return list.Pending
}

// pendingError is the error of a pending call.
type pendingError struct {
	Code     string `json:"error"`
	Message  string
	Hint     string
	Approval string `json:"approval_id"`
}

// mustPend makes a call on the command line that becomes pending, and returns its
// id.
func (d *testHome) mustPend(tool string, args object) string {
	d.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		d.t.Fatal(err)
	}
	stdout, stderr, status := d.run("call", tool, string(raw))
	var pending pendingError
	if err := json.Unmarshal([]byte(stderr), &pending); err != nil || status != 1 || pending.Code != "APPROVAL_REQUIRED" || pending.Approval == "" {
		d.t.Fatalf("%s ends with %d: %s%s", tool, status, stdout, stderr)
	}
	if !strings.Contains(pending.Message, pending.Approval) || !strings.Contains(pending.Hint, "kota approve "+pending.Approval) || strings.Contains(pending.Hint, "Tell the user") {
		d.t.Errorf("the error does not say what to do: %+v", pending)
	}
	return pending.Approval
}

// A key identifies one mail. A second mail with the same key can never be sent:
// it is no longer pending, and the log has the user's approval.
func TestImpossibleCallWaitsNoLonger(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	second := object{"to": []string{"bob@example.com"}, "subject": "Dinner", "body": "At six?", "idempotency_key": "lunch-1"}
	first, id := d.mustPend("gmail_send_message", lunch), d.mustPend("gmail_send_message", second)
	d.must("approve", first, "--yes")
	_, stderr, status := d.run("approve", id, "--yes")
	if status != 1 || !strings.Contains(stderr, "CONFLICT") || !strings.Contains(stderr, "was used for another mail") || !strings.Contains(stderr, id+" is no longer pending") {
		t.Errorf("the second ends with %d: %s", status, stderr)
	}
	d.checkSent(1, "after both")
	if pending := d.pending(); len(pending) != 0 {
		t.Errorf("waiting are %+v", pending)
	}
	if last := d.auditedCalls(); last[len(last)-1].Code != "CONFLICT" || last[len(last)-1].Tool != "gmail_send_message" {
		t.Errorf("the log ends with %+v", last[len(last)-1])
	}
	if _, stderr, _ := d.run("approve", id, "--yes"); !strings.Contains(stderr, id+" was approved, but failed at") {
		t.Errorf("once more it ends with %s", stderr)
	}
	if _, stderr, _ := d.run("call", "gmail_send_message", mustMarshal(t, second)); !strings.Contains(stderr, "CONFLICT") || !strings.Contains(stderr, "the user approved this call, which was pending as "+id) {
		t.Errorf("the same call ends with %s", stderr)
	}
}

func TestPendingCallRunsOnceAndReportsOnce(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	id := d.mustPend("gmail_send_message", lunch)
	if again := d.mustPend("gmail_send_message", lunch); again != id {
		t.Errorf("the same call waits as %s and as %s", id, again)
	}
	pending := d.pending()
	if len(pending) != 1 || pending[0].ID != id || pending[0].Tool != "gmail_send_message" {
		t.Fatalf("waiting are %+v", pending)
	}
	d.checkSent(0, "while it waits")
	stdout, shown, status := d.run("approve", id, "--yes")
	if status != 0 || !strings.Contains(stdout, `"sent"`) {
		t.Fatalf("approve ends with %d: %s%s", status, stdout, shown)
	}
	for _, text := range []string{"bob@example.com", "Lunch", "At noon?"} {
		if !strings.Contains(shown, text) || !strings.Contains(pending[0].Text, text) {
			t.Errorf("%q is not shown:\n%s\n%s", text, shown, pending[0].Text)
		}
	}
	d.checkSent(1, "once it is approved")
	_, stderr, status := d.run("approve", id, "--yes")
	if status != 1 || !strings.Contains(stderr, "CONFLICT") {
		t.Errorf("approving it again ends with %d: %s", status, stderr)
	}
	p := serveIn(t, d.home)
	p.send(toolCall("repeated", "gmail_send_message", lunch))
	repeated := p.end()["repeated"].call(t)
	if repeated.IsError || !strings.Contains(string(repeated.StructuredContent), `"sent"`) || !strings.Contains(repeated.text(), id) {
		t.Errorf("the same call answers %s", repeated.text())
	}
	d.checkSent(1, "after the same call")
	if stdout, _, _ := d.run("call", "gmail_send_message", mustMarshal(t, lunch)); strings.Contains(stdout, "has approved") {
		t.Errorf("it is reported twice: %s", stdout)
	}
	d.checkSent(1, "after one more")
	if len(d.pending()) != 0 {
		t.Errorf("waiting are %+v", d.pending())
	}
}

func TestTwoTerminalsApprovingTogetherSendOnce(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	id := d.mustPend("gmail_send_message", lunch)
	var both sync.WaitGroup
	outcomes := make(chan string, 2)
	for range cap(outcomes) {
		cmd := exec.Command("kota", "approve", id, "--yes")
		cmd.Env = append(cmd.Environ(), "KOTA_HOME="+d.home, "KOTA_CONFIG=", "KOTA_NOW="+testTime)
		both.Go(func() {
			out, err := cmd.CombinedOutput()
			if err != nil {
				outcomes <- "failed: " + string(out)
				return
			}
			outcomes <- "done: " + string(out)
		})
	}
	both.Wait()
	d.checkSent(1, "after both")
	output := <-outcomes + <-outcomes
	if !strings.Contains(output, "done: ") || !strings.Contains(output, "CONFLICT") && !strings.Contains(output, `"repeated"`) {
		t.Errorf("they say %s", output) // one runs it; the other comes too late, before it is done or after
	}
}

func TestRejectedCallDoesNotRun(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	id := d.mustPend("gmail_send_message", lunch)
	if _, stderr, status := d.run("reject", id, "--profile", "read-only"); status != 1 || !strings.Contains(stderr, "WRITES_DISABLED") {
		t.Errorf("under read-only reject ends with %d: %s", status, stderr)
	}
	if output := d.must("reject", id); !strings.Contains(output, "nothing was done") {
		t.Errorf("reject says %s", output)
	}
	for _, command := range []string{"approve", "reject", "pending"} {
		if _, stderr, status := d.run(command, id); status != 1 || !strings.Contains(stderr, "rejected") {
			t.Errorf("%s then ends with %d: %s", command, status, stderr)
		}
	}
	if _, stderr, status := d.run("call", "gmail_send_message", mustMarshal(t, lunch)); status != 1 || !strings.Contains(stderr, "REFUSED") || !strings.Contains(stderr, id) {
		t.Errorf("the same call ends with %d: %s", status, stderr)
	}
	if again := d.mustPend("gmail_send_message", lunch); again == id {
		t.Error("it waits again under the same id")
	}
	d.checkSent(0, "after all that")
}

func TestPendingCallWaitsAtMostThreeDays(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	id := d.mustPend("gmail_send_message", lunch)
	d.clock = "2026-03-17T09:26:53Z"
	if _, stderr, status := d.run("approve", id, "--yes"); status != 1 || !strings.Contains(stderr, "NOT_FOUND") || !strings.Contains(stderr, "kota pending") {
		t.Errorf("approve ends with %d: %s", status, stderr)
	}
	if output := d.must("pending"); !strings.Contains(output, "No call is pending") {
		t.Errorf("pending says %s", output)
	}
	if again := d.mustPend("gmail_send_message", lunch); again == id {
		t.Error("it waits on")
	}
	d.checkSent(0, "after all that")
}

func TestPermanentDeletionWaitsForApproval(t *testing.T) {
	t.Parallel()
	d := newTestHome(t)
	d.must("call", "memory_set", "key=theme", "value=dark")
	forget := object{"key": "theme", "permanent": true}
	id := d.mustPend("memory_delete", forget)
	d.must("call", "memory_get", "query=theme")
	if output := d.must("pending"); !strings.Contains(output, id) || !strings.Contains(output, "memory_delete: 1 memory for good: this cannot be undone") {
		t.Errorf("pending says %s", output)
	}
	if output, _, _ := d.run("doctor"); !strings.Contains(output, "1 pending") || !strings.Contains(output, "kota approve") {
		t.Errorf("doctor says %s", output)
	}
	if stdout, _, status := d.run("__complete", "approve", "a_"); status != 0 || !strings.Contains(stdout, id+"\tmemory_delete") {
		t.Errorf("completed as %s", stdout)
	}
	stdout, shown, status := d.run("approve", id, "--yes")
	if status != 0 || !strings.Contains(stdout, `"deleted":1`) || !strings.Contains(shown, "key: theme") {
		t.Errorf("approve ends with %d: %s%s", status, stdout, shown)
	}
	if answer := d.must("call", "memory_get", "query=theme"); !strings.Contains(answer, `"found":false`) {
		t.Errorf("it is remembered: %s", answer)
	}
}

// Mail that matches a filter but was not shown is not destroyed.
func TestOnlyShownMailIsDestroyed(t *testing.T) {
	t.Parallel()
	d := newTestHome(t)
	d.must("call", "memory_set", "key=junk one", "value=a", "tags=junk")
	d.must("call", "memory_set", "key=junk two", "value=b", "tags=junk")
	forget := object{"filter": object{"tags": []string{"junk"}}, "permanent": true}
	id := d.mustPend("memory_delete", forget)
	if shown := d.pending()[0].Text; !strings.Contains(shown, "2 memories") || !strings.Contains(shown, "junk one\n    junk two") {
		t.Errorf("shown is\n%s", shown)
	}
	d.must("call", "memory_set", "key=junk no longer", "value=c", "tags=junk")
	_, stderr, status := d.run("approve", id, "--yes")
	if status != 1 || !strings.Contains(stderr, "CONFLICT") || !strings.Contains(stderr, "junk no longer") {
		t.Errorf("approve ends with %d: %s", status, stderr)
	}
	for _, key := range []string{"junk one", "junk no longer"} {
		if output := d.must("call", "memory_get", "query="+key); !strings.Contains(output, `"found":true`) {
			t.Errorf("%s is gone: %s", key, output)
		}
	}
	if output := d.must("approve", d.pending()[0].ID, "--yes"); !strings.Contains(output, `"deleted":3`) {
		t.Errorf("once it is shown: %s", output)
	}
}

// Naming the id approves what was shown under it, and nothing else.
func TestEditedDraftIsShownAgain(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	var made struct {
		Draft string `json:"draft_id"`
	}
	if err := json.Unmarshal([]byte(d.must("call", "gmail_send_message", mustMarshal(t, object{"to": []string{"bob@example.com"}, "subject": "Lunch", "body": "At noon?", "as_draft": true}))), &made); err != nil {
		t.Fatal(err)
	}
	id := d.mustPend("gmail_send_draft", object{"draft_id": made.Draft})
	d.must("call", "gmail_update_draft", mustMarshal(t, object{"draft_id": made.Draft, "to": []string{"eve@example.com"}}))
	_, stderr, status := d.run("approve", id, "--yes")
	if status != 1 || !strings.Contains(stderr, "CONFLICT") || !strings.Contains(stderr, "eve@example.com") {
		t.Fatalf("approve ends with %d: %s", status, stderr)
	}
	d.checkSent(0, "after the edit")
	pending := d.pending()
	if len(pending) != 1 || pending[0].ID == id {
		t.Fatalf("waiting are %+v", pending)
	}
	if _, stderr, status := d.run("approve", id, "--yes"); status != 1 || !strings.Contains(stderr, "CONFLICT") || !strings.Contains(stderr, pending[0].ID) {
		t.Errorf("the first id then ends with %d: %s", status, stderr)
	}
	d.must("approve", pending[0].ID, "--yes")
	d.checkSent(1, "once that is approved")
}

// A new guest gets the whole event, as it is when they are added.
func TestChangedEventIsShownAgainBeforeInviting(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t, "calendar: on")
	user := d.google.User(ann)
	lunch := user.AddEvent("primary", object{
		"summary": "Lunch", "description": "At noon", "start": object{"date": "2026-11-24"}, "end": object{"date": "2026-11-25"},
	})
	asks := object{"event_id": lunch, "add_attendees": []string{"eve@example.com"}}
	id := d.mustPend("calendar_update_event", asks)
	if pending := d.pending(); len(pending) != 1 || !strings.Contains(pending[0].Text, "\nDescription: At noon") {
		t.Fatalf("waiting are %+v", pending)
	}
	user.ChangeEvent("primary", lunch, object{"description": "Fire Carl"})
	_, stderr, status := d.run("approve", id, "--yes")
	if status != 1 || !strings.Contains(stderr, "CONFLICT") || !strings.Contains(stderr, "Fire Carl") {
		t.Errorf("approve ends with %d: %s", status, stderr)
	}
	if guests := user.Event("primary", lunch)["attendees"]; guests != nil {
		t.Errorf("it went to %v", guests)
	}
	pending := d.pending()
	if len(pending) != 1 || pending[0].ID == id {
		t.Fatalf("waiting are %+v", pending)
	}
	d.must("approve", pending[0].ID, "--yes")
	if user.Event("primary", lunch)["attendees"] == nil {
		t.Error("approved, it has no guest")
	}
}

// A call that failed before anything left can be approved again; a later
// failure is reported.
func TestCallWaitsAgainIfItFailsBeforeSending(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	id := d.mustPend("gmail_send_message", lunch)
	d.configure("send: refuse\n")
	if _, stderr, status := d.run("approve", id, "--yes"); status != 1 || !strings.Contains(stderr, "REFUSED") {
		t.Errorf("under send: refuse: %d, %s", status, stderr)
	}
	d.configure("profile: no-send\n")
	if _, stderr, status := d.run("approve", id, "--yes"); status != 1 || !strings.Contains(stderr, "WRITES_DISABLED") {
		t.Errorf("under profile: no-send: %d, %s", status, stderr)
	}
	writeFile(t, filepath.Join(d.home, "bundles.yaml"), []byte("google: {tokens: file, endpoint: \"http://127.0.0.1:9\"}\nbundles: {gmail: on}\nsend: ask\n"))
	if _, stderr, status := d.run("approve", id, "--yes"); status != 1 || !strings.Contains(stderr, "; it stays pending as "+id+" until") || !strings.Contains(stderr, "Check the connection, then approve it again.") {
		t.Errorf("without a connection: %d, %s", status, stderr)
	}
	d.checkSent(0, "where it is forbidden")
	d.configure("send: allow\n")
	d.must("approve", id, "--yes")
	d.checkSent(1, "where it is allowed")
	if _, stderr, status := d.run("approve", id, "--yes"); status != 1 || !strings.Contains(stderr, "CONFLICT") {
		t.Errorf("again: %d, %s", status, stderr)
	}
	d.checkSent(1, "after that")
}

func mustMarshal(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
