package sqlite_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"kota/store"
	"kota/store/sqlite"
)

func TestPrunedLogVerifiesAndReportsThePrune(t *testing.T) {
	path := closedLog(t)
	db := openAt(t, path, sqlite.Options{Now: newClock().now})
	rows := auditRows(t, db)
	for name, checkpoint := range map[string]store.AuditCheckpoint{
		"the last":       {Seq: 8, Hash: rows[7].Hash},
		"one of another": {Seq: 3, Hash: rows[3].Hash},
		"none":           {Seq: 99},
	} {
		if err := auditLog(db).Prune(t.Context(), "ann", checkpoint); !errors.Is(err, store.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := auditLog(db).Prune(t.Context(), "ann", store.AuditCheckpoint{Seq: 3, Hash: rows[2].Hash}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openAt(t, path, sqlite.Options{Now: newClock().now})
	v := verify(t, db, store.AuditCheckpoint{Seq: 2, Hash: rows[1].Hash})
	if len(v.Tampering) != 0 || v.PrunedTo != 3 || v.Rows != 7 {
		t.Errorf("%d rows, pruned up to %d: %s", v.Rows, v.PrunedTo, findings(v))
	}
	for _, query := range []string{"UPDATE audit SET code = 'x'", "DELETE FROM audit"} {
		if err := db.Write(t.Context(), func(tx *sqlite.Tx) error { _, err := tx.Exec(query); return err }); err == nil {
			t.Errorf("%s succeeds afterwards", query)
		}
	}
}

func TestPruneReportsADatabaseErrorAsItIs(t *testing.T) {
	path := closedLog(t)
	db := openAt(t, path, sqlite.Options{Now: newClock().now})
	third := auditRows(t, db)[2]
	runOutside(t, path, dropTriggers, "ALTER TABLE audit RENAME COLUMN hash TO digest")
	if err := auditLog(db).Prune(t.Context(), "ann", store.AuditCheckpoint{Seq: 3, Hash: third.Hash}); err == nil || errors.Is(err, store.ErrConflict) {
		t.Errorf("got %v", err)
	}
}

// After a crash the checkpoint may name an earlier row than the last. It is updated after a prune
// past its row, but not if the log never had that row.
func TestCheckpointOfAPrunedRowIsUpdated(t *testing.T) {
	for name, tt := range map[string]struct {
		row, hashOf int // of the checkpoint
		want        string
	}{
		"before the last pruned row": {2, 2, ""},
		"the last pruned row":        {3, 3, ""},
		"the hash of another row":    {3, 2, "row 3 does not have the hash that was noted: the log was rewritten up to that row, or the note is wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			path := closedLog(t)
			db := openAt(t, path, sqlite.Options{Now: newClock().now})
			rows := auditRows(t, db)
			note, err := json.Marshal(store.AuditCheckpoint{Seq: int64(tt.row), Hash: rows[tt.hashOf-1].Hash})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path+".audit-head", note, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := auditLog(db).Prune(t.Context(), "ann", store.AuditCheckpoint{Seq: 3, Hash: rows[2].Hash}); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			v := verify(t, openAt(t, path, sqlite.Options{}))
			if got := findings(v); got != tt.want {
				t.Errorf("the report is %q", got)
			}
			after, err := os.ReadFile(path + ".audit-head")
			if err != nil {
				t.Fatal(err)
			}
			if anew := strings.Contains(string(after), v.Last.Hash.String()); anew != (tt.want == "") {
				t.Errorf("the checkpoint is %s, the log ends with %s", after, v.Last.Hash)
			}
		})
	}
}

// A row that records a prune covers only the rows that it names.
func TestVerifyFindsRowsRemovedBesidesAPrune(t *testing.T) {
	for _, tt := range []struct{ query, want string }{
		{"DELETE FROM audit WHERE seq = 4", "rows 1 to 4 were removed"},
		{"DELETE FROM audit WHERE seq = 6", "row 6 was removed"},
		{"DELETE FROM audit WHERE tool = 'kota audit prune'", "rows 1 to 3 were removed; rows 9 to 10 were removed from the end"},
	} {
		path := closedLog(t)
		db := openAt(t, path, sqlite.Options{Now: newClock().now})
		third := auditRows(t, db)[2]
		if err := auditLog(db).Prune(t.Context(), "ann", store.AuditCheckpoint{Seq: 3, Hash: third.Hash}); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		runOutside(t, path, dropTriggers, tt.query, createTriggers)
		if got := findings(verify(t, openAt(t, path, sqlite.Options{}))); got != tt.want {
			t.Errorf("%s: it says %q", tt.query, got)
		}
	}
}
