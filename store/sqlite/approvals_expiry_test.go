package sqlite_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/approvals"
)

// newApproval returns an approval to enqueue.
func newApproval(call, digest string) store.Approval {
	return store.Approval{
		Call: call, Digest: digest, Tool: "gmail_send_message", Effect: "sends",
		Args: json.RawMessage(`{"subject":"Lunch"}`), Shown: jsonText("To: bob"), Reason: "strangers wrote",
	}
}

func enqueue(t testing.TB, a *approvals.Store, call, digest string) store.Approval {
	t.Helper()
	pending, err := a.Enqueue(t.Context(), newApproval(call, digest))
	if err != nil {
		t.Fatal(err)
	}
	return pending
}

// Approvals can contain whole mails. None stays in the file after it has expired, and none is
// copied into a backup.
func TestExpiredApprovalLeavesTheFileAndNoBackupHasIt(t *testing.T) {
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "kota.db"), filepath.Join(dir, "copy.db")
	c := newClock()
	db := openAt(t, path, sqlite.Options{Now: c.now})
	want := newApproval("c", "d")
	want.Shown = jsonText("Marzipan walnut")
	if _, err := approvals.New(db, "ann").Enqueue(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if err := db.Backup(t.Context(), copied, nil); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(read(t, copied), []byte("Marzipan")) {
		t.Error("the backup contains the approval")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(read(t, path), []byte("Marzipan")) {
		t.Fatal("the file does not contain the approval before it expires")
	}
	c.set(c.now().Add(store.ApprovalTTL))
	if err := openAt(t, path, sqlite.Options{Now: c.now}).Close(); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(read(t, path), []byte("Marzipan")) {
		t.Error("the file contains the approval after it has expired")
	}
}
