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

// ensureHead creates the note of the log's end before the first row. A missing note of a log with
// rows was therefore removed: ensureHead returns rows that say so, once per process.
func (a *Log) ensureHead(last store.AuditRow, owner string) ([]store.AuditRow, error) {
	if exists(sqlite.HeadFile(a.db.Path())) {
		return nil, nil
	}
	if last.Seq == 0 {
		if err := sqlite.WriteHead(a.db.Path(), store.AuditCheckpoint{}); err != nil {
			return nil, fmt.Errorf("%w: note where the audit log ends: %v", causeOf(err), err)
		}
		return nil, nil
	}
	if a.told {
		return nil, nil
	}
	args, err := json.Marshal(store.AuditCheckpoint{Seq: last.Seq, Hash: last.Hash})
	if err != nil {
		return nil, err
	}
	a.db.Log().Warn(filepath.Base(sqlite.HeadFile(a.db.Path())) + " was gone, which notes where the audit log ends, and is made anew: rows that were cut off before do not show")
	t := NewTrail(store.AuditEntry{Owner: owner, Tool: store.CheckpointTool, Effect: "writes", Args: args})
	return []store.AuditRow{t.row(store.PhaseIntent, "", a.db.Now()), t.row(store.PhaseOutcome, store.OK, a.db.Now())}, nil
}

// causeOf returns the sentinel for why a file beside the database was not written.
func causeOf(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return store.ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return store.ErrReadOnly
	}
	return store.ErrIO
}

// keepHead notes the last row that this process has written, unless a later row is noted. It does
// not replace a note that the log contradicts, because such a note shows that rows are missing.
// It does not sync: a lost note is written again with the next row.
func (a *Log) keepHead(ctx context.Context) error {
	a.mu.Lock()
	head, kept := a.head, a.kept
	a.mu.Unlock()
	if head == kept {
		return nil
	}
	err := a.db.WriteUnaudited(ctx, func(t *sqlite.Tx) error { // one process at a time: an earlier row never replaces a later one
		noted, err := sqlite.ReadHead(a.db.Path())
		if err == nil {
			err = bearsOut(t, noted)
		}
		if err == nil && noted.Seq < head.Seq {
			err = sqlite.WriteHead(a.db.Path(), head)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("note where the audit log ends: %w", err)
	}
	a.mu.Lock()
	a.kept = head
	a.mu.Unlock()
	return nil
}

// borneOut selects 1 if the log has row ?1 with hash ?2, or says that it was pruned, else 0.
const borneOut = `SELECT CASE WHEN EXISTS (SELECT 1 FROM main.audit WHERE seq = ?1 AND hash = ?2) THEN 1
	ELSE EXISTS (SELECT 1 FROM (` + prunedTo + `) WHERE seq > ?1 OR seq = ?1 AND hash = ?2) END`

// bearsOut returns ErrCorrupt if the log neither contains the noted row nor says that it was
// pruned. After a crash the note may be behind the log, which is no error.
func bearsOut(t *sqlite.Tx, noted store.AuditCheckpoint) error {
	if noted.Seq == 0 {
		return nil
	}
	borne := false
	err := t.Row(borneOut, noted.Seq, noted.Hash[:]).Scan(&borne)
	if err == nil && !borne {
		return fmt.Errorf("%w: it has no row %d as noted", store.ErrCorrupt, noted.Seq)
	}
	return err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
