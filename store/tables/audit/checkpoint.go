package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"kota/store"
	"kota/store/engine"
)

// A checkpointFile is a database that keeps the checkpoint of the log in a file beside it. The log
// itself does not show that rows were removed from its end; this file does.
type checkpointFile interface {
	CheckpointName() string
	HasCheckpoint() bool
	// ReadCheckpoint returns the zero checkpoint if there is no file, and ErrCorrupt for a damaged
	// one.
	ReadCheckpoint() (store.AuditCheckpoint, error)
	WriteCheckpoint(store.AuditCheckpoint) error
}

// ensureCheckpoint creates the checkpoint file before the first row of the log. If the log has
// rows and the file is missing, somebody removed it. ensureCheckpoint then returns rows that
// record this, once per process.
func (a *Log) ensureCheckpoint(last store.AuditRow, owner string) ([]store.AuditRow, error) {
	if a.file == nil || a.file.HasCheckpoint() {
		return nil, nil
	}
	if last.Seq == 0 {
		if err := a.file.WriteCheckpoint(store.AuditCheckpoint{}); err != nil {
			return nil, fmt.Errorf("%w: record the end of the audit log: %v", classifyFileError(err), err)
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
	a.db.Log().Warn(a.file.CheckpointName() + " was missing and is created again. It records the end of the audit log: if rows were removed from the end before, this cannot be detected")
	t := NewTrail(store.AuditEntry{Owner: owner, Tool: store.CheckpointTool, Effect: "writes", Args: args})
	return []store.AuditRow{t.row(store.PhaseIntent, "", a.db.Now()), t.row(store.PhaseOutcome, store.OK, a.db.Now())}, nil
}

// classifyFileError returns the sentinel error that says why a file beside the database was not
// written.
func classifyFileError(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return store.ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return store.ErrReadOnly
	}
	return store.ErrIO
}

// saveCheckpoint writes the last row of this process to the checkpoint file, unless the file
// names a later row. It keeps a checkpoint whose row is not in the log, because that checkpoint
// shows that rows are missing. It does not sync, because a lost write is repeated with the next
// row.
func (a *Log) saveCheckpoint(ctx context.Context) error {
	if a.file == nil {
		return nil
	}
	a.mu.Lock()
	last, saved := a.lastCommitted, a.savedCheckpoint
	a.mu.Unlock()
	if last == saved {
		return nil
	}
	err := a.db.WriteUnaudited(ctx, func(t engine.Tx) error { // one process at a time: an earlier row never replaces a later one
		checkpoint, err := a.file.ReadCheckpoint()
		if err == nil {
			err = checkContains(t, checkpoint)
		}
		if err == nil && checkpoint.Seq < last.Seq {
			err = a.file.WriteCheckpoint(last)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("record the end of the audit log: %w", err)
	}
	a.mu.Lock()
	a.savedCheckpoint = last
	a.mu.Unlock()
	return nil
}

// containsSQL selects 1 if the log has row ?1 with hash ?2, or records that this row was pruned,
// else 0.
const containsSQL = `SELECT CASE WHEN EXISTS (SELECT 1 FROM main.audit WHERE seq = ?1 AND hash = ?2) THEN 1
	ELSE EXISTS (SELECT 1 FROM (` + prunedToSQL + `) WHERE seq > ?1 OR seq = ?1 AND hash = ?2) END`

// checkContains returns ErrCorrupt if the log neither contains the row of the checkpoint nor
// records that it was pruned. After a crash the checkpoint may name an earlier row than the last,
// and that is no error.
func checkContains(t engine.Tx, checkpoint store.AuditCheckpoint) error {
	if checkpoint.Seq == 0 {
		return nil
	}
	contained := false
	err := t.Row(containsSQL, checkpoint.Seq, checkpoint.Hash[:]).Scan(&contained)
	if err == nil && !contained {
		return fmt.Errorf("%w: it does not contain the recorded row %d", store.ErrCorrupt, checkpoint.Seq)
	}
	return err
}
