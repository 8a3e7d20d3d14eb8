package sqlite_test

import (
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// Only the process that holds the write lock writes the checkpoint. Two processes that read and
// wrote it at the same time could set it back to an earlier row. Rows after that row could then
// be removed unnoticed.
func TestCheckpointIsWrittenOnlyWithTheWriteLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	auditedSet(t, db, "one")
	other, err := sql.Open("sqlite", path+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	before := checkpointText(path)
	_ = db.Close() // it cannot write its last row
	if got := checkpointText(path); got != before {
		t.Errorf("written without the lock: %s", got)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	db = openAt(t, path, sqlite.Options{})
	auditedSet(t, db, "two")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if v := verify(t, openAt(t, path, sqlite.Options{})); len(v.Tampering) != 0 || v.CheckpointProblem != "" {
		t.Errorf("%s, %s", findings(v), v.CheckpointProblem)
	}
}

// checkpointText returns the content of the checkpoint file, or "" without one.
func checkpointText(path string) string {
	content, _ := os.ReadFile(path + ".audit-head")
	return string(content)
}

func TestOpenRefusesAMissingDatabaseThatHadRows(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"removed": os.Remove,
		"emptied": func(path string) error { return os.Truncate(path, 0) },
	} {
		for _, readOnly := range []bool{false, true} {
			path := closedLog(t)
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
			if _, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: readOnly}); !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("%s, read-only %t: %v", name, readOnly, err)
			}
			if sqlite.Absent(path) {
				t.Errorf("%s: Absent reports that it never existed", name)
			}
			if err := os.Rename(path+".audit-head", path+".audit-head.old"); err != nil {
				t.Fatal(err)
			}
			openAt(t, path, sqlite.Options{})
		}
	}
}

// If the first row were written without a checkpoint, as on a full disk, the checkpoint would
// look removed until the next change.
func TestFirstRowWaitsForItsCheckpoint(t *testing.T) {
	const longest = 255
	name := strings.Repeat("k", longest-len(".audit-head")) // the name is too long for the temporary file of the checkpoint
	db := openAt(t, filepath.Join(t.TempDir(), name), sqlite.Options{})
	ctx, _ := withTrail(t.Context(), store.AuditEntry{Owner: "ann", Tool: "memory_set", Effect: "writes", Channel: "cli"})
	if _, err := memory.New(db, "ann").Set(ctx, store.Entry{Key: "k", Value: jsonText("v")}); !errors.Is(err, store.ErrIO) {
		t.Errorf("the change returns %v", err)
	}
	if v := verify(t, db); v.Rows != 0 || v.CheckpointProblem != "" {
		t.Errorf("%d rows, %s", v.Rows, v.CheckpointProblem)
	}
}

func TestMissingCheckpointIsRecordedInTheLog(t *testing.T) {
	path := closedLog(t)
	before := verify(t, openAt(t, path, sqlite.Options{}))
	if err := os.Remove(path + ".audit-head"); err != nil {
		t.Fatal(err)
	}
	log := &strings.Builder{}
	db := openAt(t, path, sqlite.Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
	auditedSet(t, db, "one")
	auditedSet(t, db, "two")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	v := verify(t, openAt(t, path, sqlite.Options{}))
	if v.CheckpointLost != before.Last.Seq+1 || v.CheckpointProblem != "" || len(v.Tampering) != 0 || len(v.Unfinished) != 0 {
		t.Errorf("got %+v, after %+v", v, before.Last)
	}
	if got := strings.Count(log.String(), "audit-head was missing"); got != 1 {
		t.Errorf("logged %d times: %s", got, log)
	}
}
