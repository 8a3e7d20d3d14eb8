package sqlite_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/restore"
	"kota/store/tables/approvals"
	"kota/store/tables/audit"
	"kota/store/tables/names"
	"kota/store/tables/outbox"
)

// backupBeforeChanges makes a backup of a database with a pending item, a pending approval and one
// counted send. It then completes them all, and uses a consent.
func backupBeforeChanges(t *testing.T) (path, backup, approval string) {
	t.Helper()
	dir := t.TempDir()
	path, backup = filepath.Join(dir, "kota.db"), filepath.Join(dir, "copy.db")
	db := openAt(t, path, sqlite.Options{})
	box := outbox.New(db, "ann", "gmail")
	sent, _ := claim(t, box, newItem("k", "d"), time.Minute)
	approval = enqueue(t, approvals.New(db, "ann"), "c", "d").ID
	allowSend(t, db)
	auditedSet(t, db, "before")
	if err := db.Backup(t.Context(), backup, nil); err != nil {
		t.Fatal(err)
	}
	saveItem(t, box, &sent, store.OutboxSent, 0)
	if err := approvals.New(db, "ann").Consume(t.Context(), approval, store.KindSend, nil); err != nil {
		t.Fatal(err)
	}
	if err := approvals.New(db, "ann").SetOutcome(t.Context(), approval, store.ApprovalDone, jsonText("sent")); err != nil {
		t.Fatal(err)
	}
	if err := approvals.New(db, "ann").ConsumeNonce(t.Context(), "nonce", time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	allowSend(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path, backup, approval
}

func allowSend(t *testing.T, db *sqlite.DB) {
	t.Helper()
	if err := approvals.NewLimits(db, "ann").Allow(t.Context(), store.KindSend, 1, []store.Limit{{Max: 9, Window: time.Hour}}); err != nil {
		t.Fatal(err)
	}
}

func TestRestoreDoesNotRepeatWhatWasDoneSinceTheBackup(t *testing.T) {
	path, backup, approval := backupBeforeChanges(t)
	if _, err := restore.Restore(t.Context(), backup, path, sqlite.Options{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	db := openAt(t, path, sqlite.Options{})
	if got, held := claim(t, outbox.New(db, "ann", "gmail"), newItem("k", "d"), time.Minute); held || got.Status != store.OutboxSent {
		t.Errorf("the item is %s, held %t", got.Status, held)
	}
	if err := approvals.New(db, "ann").Consume(t.Context(), approval, store.KindSend, nil); !errors.Is(err, store.ErrConflict) {
		t.Errorf("the approval can be used again: %v", err)
	}
	if err := approvals.New(db, "ann").ConsumeNonce(t.Context(), "nonce", time.Now().Add(time.Hour)); !errors.Is(err, store.ErrConflict) {
		t.Errorf("the nonce can be used again: %v", err)
	}
	full := (*store.LimitError)(nil)
	if err := approvals.NewLimits(db, "ann").Allow(t.Context(), store.KindSend, 1, []store.Limit{{Max: 2, Window: time.Hour}}); !errors.As(err, &full) {
		t.Errorf("the later call does not count: %v", err)
	}
	if err := approvals.NewLimits(db, "ann").Allow(t.Context(), store.KindSend, 1, []store.Limit{{Max: 3, Window: time.Hour}}); err != nil {
		t.Errorf("calls are counted twice: %v", err)
	}
	if v := verify(t, db); len(v.Tampering) != 0 {
		t.Error(findings(v))
	}
	checkOnlyFiles(t, filepath.Dir(path), append([]string{"kota.db", "copy.db", "kota.db-wal", "kota.db-shm", "kota.db.audit-head"}, replacedFiles(t, path)...)...)
}

func replacedFiles(t *testing.T, path string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(filepath.Dir(path), "kota-replaced-*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	return names
}

// Without a record of what happened since, the calls in the copy must not run.
func TestRestoreWithoutTheOldFileRunsNoPendingCall(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"the file is missing": os.Remove,
		"the file is damaged": func(path string) error { return os.WriteFile(path, []byte("hello, this is no database"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			path, backup, approval := backupBeforeChanges(t)
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
			if _, err := restore.Restore(t.Context(), backup, path, sqlite.Options{}, nil, nil); err != nil {
				t.Fatal(err)
			}
			db := openAt(t, path, sqlite.Options{})
			if err := approvals.New(db, "ann").Consume(t.Context(), approval, store.KindSend, nil); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("the approval is pending: %v", err)
			}
			items, err := outbox.New(db, "ann", "gmail").List(t.Context(), 10)
			if err != nil || len(items) != 1 || items[0].Status != store.OutboxUnknown {
				t.Errorf("the items are %+v, %v", items, err)
			}
		})
	}
}

func TestRestoreIsRecordedInTheAuditLog(t *testing.T) {
	path, backup, _ := backupBeforeChanges(t)
	trail := audit.NewTrail(store.AuditEntry{Owner: "ann", Tool: "kota restore", Effect: "writes", Channel: "cli"})
	if _, err := restore.Restore(t.Context(), backup, path, sqlite.Options{}, trail, nil); err != nil {
		t.Fatal(err)
	}
	db := openAt(t, path, sqlite.Options{})
	rows := auditRows(t, db)
	last := rows[len(rows)-2:]
	if last[0].Tool != "kota restore" || last[0].Phase != store.PhaseIntent || last[1].Phase != store.PhaseOutcome || last[1].Code != store.OK || last[0].Call != last[1].Call {
		t.Errorf("it ends with %+v", last)
	}
	if v := verify(t, db); len(v.Tampering)+len(v.Unfinished) != 0 {
		t.Error(findings(v))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	runOutside(t, path, dropTriggers, "DELETE FROM audit WHERE tool = 'kota restore'")
	if v := verify(t, openAt(t, path, sqlite.Options{})); len(v.Tampering) == 0 {
		t.Error("its rows can be removed unnoticed")
	}
}

// A copy with older tables is migrated before newer records are carried over.
func TestRestoreCarriesRecordsIntoOlderTables(t *testing.T) {
	path, _, _ := backupBeforeChanges(t)
	backup := filepath.Join(t.TempDir(), "older.db")
	older := openAt(t, backup, sqlite.FirstSteps(sqlite.Options{}, 10)) // without the tables of approvals, consents and the audit log
	if err := older.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := restore.Restore(t.Context(), backup, path, sqlite.Options{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	db := openAt(t, path, sqlite.Options{})
	if err := approvals.New(db, "ann").ConsumeNonce(t.Context(), "nonce", time.Now().Add(time.Hour)); !errors.Is(err, store.ErrConflict) {
		t.Errorf("the nonce can be used again: %v", err)
	}
	tools := []string{}
	for _, row := range auditRows(t, db) {
		tools = append(tools, row.Tool)
	}
	if !slices.Contains(tools, "memory_set") {
		t.Errorf("the log has %q", tools)
	}
}

// The database that is replaced may have older tables than the copy, in which a column had another
// name.
func TestRestoreCarriesApprovalsFromOlderTables(t *testing.T) {
	_, backup, approval := backupBeforeChanges(t)
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := openAt(t, path, sqlite.FirstSteps(sqlite.Options{}, 21)).Close(); err != nil {
		t.Fatal(err)
	}
	at := time.Now().UnixMilli()
	runScript(t, path, fmt.Sprintf(`INSERT INTO approvals VALUES ('%s', 'ann', 'c', 'd', 'gmail_send_message', 'sends', '', '', '', 'done', '"sent"', 1, %d, %d, %d, '')`,
		approval, at, at, at+time.Hour.Milliseconds()))
	if _, err := restore.Restore(t.Context(), backup, path, sqlite.Options{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	rows := approvals.New(openAt(t, path, sqlite.Options{}), "ann")
	if got, err := rows.Get(t.Context(), approval); err != nil || got.Status != store.ApprovalDone || string(got.Outcome) != `"sent"` {
		t.Errorf("the approval is %+v, %v", got, err)
	}
	if got, err := rows.TakeOutcome(t.Context(), "c"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the outcome is returned again: %+v, %v", got, err)
	}
}

// The state in which a pending call was requested no longer exists. If the call is repeated, its
// user is asked again.
func TestRestoreDropsPendingApprovals(t *testing.T) {
	path, backup := filepath.Join(t.TempDir(), "kota.db"), filepath.Join(t.TempDir(), "copy.db")
	db := openAt(t, path, sqlite.Options{})
	pending := []string{enqueue(t, approvals.New(db, "ann"), "c", "before the copy").ID}
	if err := db.Backup(t.Context(), backup, nil); err != nil {
		t.Fatal(err)
	}
	pending = append(pending, enqueue(t, approvals.New(db, "ann"), "d", "after it").ID)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := restore.Restore(t.Context(), backup, path, sqlite.Options{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	db = openAt(t, path, sqlite.Options{})
	if list, err := approvals.New(db, "ann").Pending(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%+v are pending, %v", list, err)
	}
	for _, id := range pending {
		if err := approvals.New(db, "ann").Consume(t.Context(), id, store.KindSend, nil); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the call can run: %v", err)
		}
	}
}

func TestRestoreKeepsUntrustedNames(t *testing.T) {
	path, backup := filepath.Join(t.TempDir(), "kota.db"), filepath.Join(t.TempDir(), "copy.db")
	db := openAt(t, path, sqlite.Options{})
	note := func(account, kind string, noted ...string) {
		t.Helper()
		if err := names.New(db, "ann").Record(t.Context(), account, kind, noted); err != nil {
			t.Fatal(err)
		}
	}
	note("a", "label", "early")
	if err := db.Backup(t.Context(), backup, nil); err != nil {
		t.Fatal(err)
	}
	note("a", "label", "early", "late")
	note("a", "filter", "late as a filter")
	note("b", "label", "of another account")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := restore.Restore(t.Context(), backup, path, sqlite.Options{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	db = openAt(t, path, sqlite.Options{})
	noted, err := names.New(db, "ann").Recorded(t.Context(), "a", "label")
	if want := map[string]bool{"early": true, "late": true}; err != nil || !maps.Equal(noted, want) {
		t.Errorf("recorded are %v, %v", noted, err)
	}
	if noted, err := names.New(db, "bob").Recorded(t.Context(), "a", "label"); err != nil || len(noted) != 0 {
		t.Errorf("another owner has %v, %v", noted, err)
	}
}
