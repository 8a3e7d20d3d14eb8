package sqlite_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"kota/store"
	"kota/store/engine"
	"kota/store/sqlite"
)

func TestPruneRestoresTheTriggers(t *testing.T) {
	path := closedLog(t)
	db := openAt(t, path, sqlite.Options{Now: newClock().now})
	third := auditRows(t, db)[2]
	if err := auditLog(db).Prune(t.Context(), "ann", store.AuditCheckpoint{Seq: 3, Hash: third.Hash}); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"UPDATE audit SET code = 'x'", "DELETE FROM audit"} {
		if err := db.Write(t.Context(), func(tx engine.Tx) error { return tx.Exec(query) }); err == nil {
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
