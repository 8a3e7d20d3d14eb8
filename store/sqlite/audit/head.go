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

// ensureHead makes the note of the end before the first row, so that a note that is
// missing later was removed. It returns the rows that say so, once in a process.
func (a *Log) ensureHead(last store.AuditRow, owner string) ([]store.AuditRow, error) {
	if exists(sqlite.HeadFile(a.db.Path())) {
		return nil, nil
	}
	if last.Seq == 0 {
		if err := sqlite.WriteHead(a.db.Path(), store.AuditHead{}); err != nil {
			return nil, fmt.Errorf("%w: note where the audit log ends: %v", causeOf(err), err)
		}
		return nil, nil
	}
	if a.told {
		return nil, nil
	}
	args, err := json.Marshal(store.AuditHead{Seq: last.Seq, Hash: last.Hash})
	if err != nil {
		return nil, err
	}
	a.db.Log().Warn(filepath.Base(sqlite.HeadFile(a.db.Path())) + " was gone, which notes where the audit log ends, and is made anew: rows that were cut off before do not show")
	t := NewTrail(store.Act{Owner: owner, Tool: store.HeadTool, Effect: "writes", Args: args})
	return []store.AuditRow{t.row(store.Intent, "", a.db.Now()), t.row(store.Outcome, store.OK, a.db.Now())}, nil
}

// causeOf names why a file beside the database was not written.
func causeOf(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return store.ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return store.ErrReadOnly
	}
	return store.ErrIO
}

// keepHead notes the last row that this process has written, unless a later one
// is noted. A note that the log does not bear out stays: it is what shows that
// rows are gone. It is not synced: a note that is lost is made again with the
// next row.
func (a *Log) keepHead(ctx context.Context) error {
	a.mu.Lock()
	head, kept := a.head, a.kept
	a.mu.Unlock()
	if head == kept {
		return nil
	}
	err := a.db.WriteUnaudited(ctx, func(t *sqlite.Tx) error { // one process at a time: an earlier row never takes the place of a later one
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

// borneOut selects 1 where the log has the row ?1 of the hash ?2, or says that
// this was taken out, else 0.
const borneOut = `SELECT CASE WHEN EXISTS (SELECT 1 FROM main.audit WHERE seq = ?1 AND hash = ?2) THEN 1
	ELSE EXISTS (SELECT 1 FROM (` + prunedTo + `) WHERE seq > ?1 OR seq = ?1 AND hash = ?2) END`

// bearsOut returns an error when the log neither has the row that is noted nor
// says that it was taken out: a note is behind the log after a crash.
func bearsOut(t *sqlite.Tx, noted store.AuditHead) error {
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
