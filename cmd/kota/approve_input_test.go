package main

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// Text that a script or a model's shell pipes into a command is not the user's
// answer.
func TestPipedInputIsNotApproval(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	id := d.mustPend("gmail_send_message", lunch)
	for _, piped := range []string{"", "n\n", "r\n", "y\n", "yes\n"} {
		stdout, stderr, status := d.runWith(strings.NewReader(piped), nil, "approve", id)
		if status != 2 || stdout != "" || !strings.Contains(stderr, "At noon?") || !strings.Contains(stderr, "approve "+id+" --yes") {
			t.Errorf("with %q on stdin it ends with %d: %s%s", piped, status, stdout, stderr)
		}
	}
	d.checkSent(0, "after all pipes")
	if len(d.pending()) != 1 {
		t.Errorf("waiting are %+v", d.pending())
	}
	d.must("approve", id, "--yes")
	d.checkSent(1, "after --yes")
}

func TestPendingListsAndShowsWithoutRunning(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t, "gmail: on", "memory: on")
	d.must("call", "memory_set", "key=junk", "value=x")
	id := d.mustPend("gmail_send_message", object{"to": []string{bob}, "subject": "Rolls", "body": "At ten."})
	d.mustPend("gmail_send_message", object{"to": []string{bob}, "subject": "Loaves", "body": "At ten."})
	d.mustPend("memory_delete", object{"key": "junk", "permanent": true})
	listed := d.must("pending")
	for _, line := range []string{"mail to " + bob + " Rolls", "mail to " + bob + " Loaves", "cannot be undone junk"} {
		if !strings.Contains(strings.Join(strings.Fields(listed), " "), line) {
			t.Errorf("no line ends with %q:\n%s", line, listed)
		}
	}
	shown := d.must("pending", id)
	if !strings.Contains(shown, "Subject: Rolls") || !strings.Contains(shown, "At ten.") || !strings.Contains(shown, "kota approve "+id) {
		t.Errorf("shown is\n%s", shown)
	}
	var line pendingCall
	if err := json.Unmarshal([]byte(d.must("pending", id, "--json")), &line); err != nil || line.ID != id {
		t.Errorf("as JSON it is %+v, %v", line, err)
	}
	if _, stderr, status := d.run("pending", "a_none"); status != 1 || !strings.Contains(stderr, "NOT_FOUND") {
		t.Errorf("an unknown one ends with %d: %s", status, stderr)
	}
	d.checkSent(0, "after it was shown")
}

func TestCallWaitsAgainIfLimitRefusesIt(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	d.configure("send: ask\nlimits: {sends_per_hour: 1}\n")
	d.must("approve", d.mustPend("gmail_send_message", lunch), "--yes")
	id := d.mustPend("gmail_send_message", object{"to": []string{bob}, "subject": "Rolls", "body": "At ten."})
	for range 2 {
		_, stderr, status := d.run("approve", id, "--yes")
		if status != 1 || !strings.Contains(stderr, "RATE_LIMITED") || !strings.Contains(stderr, "it stays pending as "+id+" until") || strings.Contains(stderr, "carried out") {
			t.Errorf("it ends with %d: %s", status, stderr)
		}
	}
	d.checkSent(1, "within the limit")
	d.configure("send: ask\nlimits: {sends_per_hour: 2}\n")
	d.must("approve", id, "--yes")
	d.checkSent(2, "with room")
}

// Google accepts nothing more for now: nothing was done, and the approval stays
// valid.
func TestCallWaitsAgainIfGoogleRefusesIt(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	id := d.mustPend("gmail_send_message", lunch)
	d.google.Fault(bundletest.GoogleFault{Method: sendDraft, Status: http.StatusTooManyRequests, Times: 1})
	_, stderr, status := d.run("approve", id, "--yes")
	if status != 1 || !strings.Contains(stderr, "RATE_LIMITED") || !strings.Contains(stderr, "it stays pending as "+id) {
		t.Fatalf("it ends with %d: %s", status, stderr)
	}
	if pending := d.pending(); len(pending) != 1 || pending[0].ID != id {
		t.Errorf("waiting are %+v", pending)
	}
	d.must("approve", id, "--yes")
	if sent := len(d.google.User(ann).Sent()); sent != 1 {
		t.Errorf("%d are sent", sent)
	}
}

func TestAuditLogRecordsHowUserApproved(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	id := d.mustPend("gmail_send_message", lunch)
	d.must("approve", id, "--yes")
	calls := d.auditedCalls()
	if last := calls[len(calls)-1]; last.Code != "OK" || last.Approval != "approve "+id+" --yes" {
		t.Errorf("the mail: %+v", last)
	}
	if listed := d.must("audit", "list"); !strings.Contains(listed, "OK                 approve "+id+" --yes") {
		t.Errorf("the list has\n%s", listed)
	}
}

// The program that ran the call has died. The call returns once that the
// outcome is unknown; then the user is asked again.
func TestInterruptedApprovalIsReportedOnce(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	id := d.mustPend("gmail_send_message", lunch)
	for number := 1; !d.expireApprovals(); number++ { // it died before it used the approval
		if !d.runUntilCrash(nil, crashPoint{"commit", number}, "approve", id, "--yes") {
			t.Fatal("it has not died in time")
		}
	}
	if _, stderr, status := d.run("approve", id, "--yes"); status != 1 || !strings.Contains(stderr, "OUTCOME_UNKNOWN") || !strings.Contains(stderr, "kota outbox") {
		t.Errorf("approving it again ends with %d: %s", status, stderr)
	}
	_, stderr, status := d.run("call", "gmail_send_message", mustMarshal(t, lunch))
	if status != 1 || !strings.Contains(stderr, "OUTCOME_UNKNOWN") || !strings.Contains(stderr, id) {
		t.Errorf("the call ends with %d: %s", status, stderr)
	}
	if again := d.mustPend("gmail_send_message", lunch); again == id {
		t.Error("it waits again under the same id")
	}
}

// expireApprovals lets the time pass after which a dead process is given up.
// It reports whether a process has left an approval that it had begun to run.
func (d *testHome) expireApprovals() bool {
	d.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(d.home, "kota.db"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer db.Close()
	result, err := db.Exec("UPDATE approvals SET updated = updated - 3600000 WHERE status = 'running' AND reported = 0")
	if err != nil {
		d.t.Fatal(err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		d.t.Fatal(err)
	}
	return n > 0
}
