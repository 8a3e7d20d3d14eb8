package sqlite_test

import (
	"path/filepath"
	"strings"
	"testing"

	"kota/store"
	"kota/store/engine"
	"kota/store/sqlite"
	"kota/store/sqlite/restore"
)

func TestRestoreKeepsAuditRowsSinceTheBackup(t *testing.T) {
	path, copied := closedLog(t), filepath.Join(t.TempDir(), "copy.db")
	db := openAt(t, path, sqlite.Options{Now: newClock().now})
	if err := db.Backup(t.Context(), copied, nil); err != nil {
		t.Fatal(err)
	}
	auditedSet(t, db, "since")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := restore.Restore(t.Context(), copied, path, sqlite.Options{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	db = openAt(t, path, sqlite.Options{Now: newClock().now})
	auditedSet(t, db, "after")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	v := verify(t, openAt(t, path, sqlite.Options{}))
	if v.Rows != 12 || len(v.Tampering)+len(v.Unfinished) != 0 {
		t.Errorf("%d rows: %s", v.Rows, findings(v))
	}
}

// A copy from before a prune ends with a row that the log no longer has.
func TestRestoreKeepsAuditRowsSinceTheBackupAfterAPrune(t *testing.T) {
	for name, upTo := range map[string]int{"just before the end of the copy": 7, "to the end of the copy": 8, "past it": 9} {
		t.Run(name, func(t *testing.T) {
			path, copied := closedLog(t), filepath.Join(t.TempDir(), "copy.db")
			db := openAt(t, path, sqlite.Options{Now: newClock().now})
			if err := db.Backup(t.Context(), copied, nil); err != nil {
				t.Fatal(err)
			}
			auditedSet(t, db, "since")
			auditedSet(t, db, "later")
			if err := auditLog(db).Prune(t.Context(), "ann", store.AuditCheckpoint{Seq: int64(upTo), Hash: auditRows(t, db)[upTo-1].Hash}); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db = openAt(t, path, sqlite.Options{Now: newClock().now})
			want := phases(auditRows(t, db))
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := restore.Restore(t.Context(), copied, path, sqlite.Options{}, nil, nil); err != nil {
				t.Fatal(err)
			}
			db = openAt(t, path, sqlite.Options{Now: newClock().now})
			if got := phases(auditRows(t, db)); !strings.HasSuffix(got, want) {
				t.Errorf("the rows are\n%s, want at the end\n%s", got, want)
			}
			if err := db.Write(t.Context(), func(tx engine.Tx) error { return tx.Exec("DELETE FROM audit") }); err == nil {
				t.Error("rows can be deleted afterwards")
			}
			auditedSet(t, db, "after")
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if v := verify(t, openAt(t, path, sqlite.Options{})); len(v.Tampering)+len(v.Unfinished) != 0 || v.CheckpointProblem != "" {
				t.Error(findings(v), v.CheckpointProblem)
			}
		})
	}
}

// The log of another database has other rows. The checkpoint of the previous log is kept
// beside the replaced file.
func TestRestoreOfAnotherDatabaseIsNoTampering(t *testing.T) {
	path, other := closedLog(t), filepath.Join(t.TempDir(), "other.db")
	for name, keys := range map[string][]string{"with a log": {"one"}, "without one": nil} {
		t.Run(name, func(t *testing.T) {
			from := filepath.Join(filepath.Dir(other), name+".db")
			db := openAt(t, from, sqlite.Options{})
			for _, key := range keys {
				auditedSet(t, db, key)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := restore.Restore(t.Context(), from, path, sqlite.Options{}, nil, nil); err != nil {
				t.Fatal(err)
			}
			if v := verify(t, openAt(t, path, sqlite.Options{})); len(v.Tampering) != 0 {
				t.Error(findings(v))
			}
		})
	}
}
