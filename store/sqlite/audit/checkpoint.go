package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"kota/store"
	"kota/store/sqlite"
)

// ensureCheckpoint creates the note of the log's end before the first row. A missing note of a log with
// rows was therefore removed: ensureCheckpoint returns rows that say so, once per process.
func (a *Log) ensureCheckpoint(last store.AuditRow, owner string) ([]store.AuditRow, error) {
	if exists(sqlite.CheckpointFile(a.db.Path())) {
		return nil, nil
	}
	if last.Seq == 0 {
		if err := sqlite.WriteCheckpoint(a.db.Path(), store.AuditCheckpoint{}); err != nil {
			return nil, fmt.Errorf("%w: note where the audit log ends: %v", classifyFileError(err), err)
		}
		return nil, nil
	}
	if a.lossRecorded {
		return nil, nil
	}
	args, err := json.Marshal(store.AuditCheckpoint{Seq: last.Seq, Hash: last.Hash})
	if err != nil {
		return nil, err
	}
	a.db.Log().Warn(filepath.Base(sqlite.CheckpointFile(a.db.Path())) + " was gone, which notes where the audit log ends, and is made anew: rows that were cut off before do not show")
	t := NewTrail(store.AuditEntry{Owner: owner, Tool: store.CheckpointTool, Effect: "writes", Args: args})
	return []store.AuditRow{t.row(store.PhaseIntent, "", a.db.Now()), t.row(store.PhaseOutcome, store.OK, a.db.Now())}, nil
}

// classifyFileError returns the sentinel for why a file beside the database was not written.
func classifyFileError(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return store.ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return store.ErrReadOnly
	}
	return store.ErrIO
}

// saveCheckpoint notes the last row that this process has written, unless a later row is noted. It does
// not replace a note that the log contradicts, because such a note shows that rows are missing.
// It does not sync: a lost note is written again with the next row.
func (a *Log) saveCheckpoint(ctx context.Context) error {
	a.mu.Lock()
	head, kept := a.lastCommitted, a.savedCheckpoint
	a.mu.Unlock()
	if head == kept {
		return nil
	}
	err := a.db.WriteUnaudited(ctx, func(t *sqlite.Tx) error { // one process at a time: an earlier row never replaces a later one
		noted, err := sqlite.ReadCheckpoint(a.db.Path())
		if err == nil {
			err = checkContains(t, noted)
		}
		if err == nil && noted.Seq < head.Seq {
			err = sqlite.WriteCheckpoint(a.db.Path(), head)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("note where the audit log ends: %w", err)
	}
	a.mu.Lock()
	a.savedCheckpoint = head
	a.mu.Unlock()
	return nil
}

// containsSQL selects 1 if the log has row ?1 with hash ?2, or says that it was pruned, else 0.
const containsSQL = `SELECT CASE WHEN EXISTS (SELECT 1 FROM main.audit WHERE seq = ?1 AND hash = ?2) THEN 1
	ELSE EXISTS (SELECT 1 FROM (` + prunedToSQL + `) WHERE seq > ?1 OR seq = ?1 AND hash = ?2) END`

// checkContains returns ErrCorrupt if the log neither contains the noted row nor says that it was
// pruned. After a crash the note may be behind the log, which is no error.
func checkContains(t *sqlite.Tx, noted store.AuditCheckpoint) error {
	if noted.Seq == 0 {
		return nil
	}
	borne := false
	err := t.Row(containsSQL, noted.Seq, noted.Hash[:]).Scan(&borne)
	if err == nil && !borne {
		return fmt.Errorf("%w: it has no row %d as noted", store.ErrCorrupt, noted.Seq)
	}
	return err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
