package sqlite

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
)

// headFile is where the last row of the log is noted, beside the database: rows
// that are removed from the end leave no other trace.
func headFile(path string) string { return path + ".audit-head" }

// ensureHead makes the note of the end before the first row, so that a note that is
// missing later was removed. It returns the rows that say so, once in a process.
func (a *auditor) ensureHead(last store.AuditRow, owner string) ([]store.AuditRow, error) {
	if exists(headFile(a.db.path)) {
		return nil, nil
	}
	if last.Seq == 0 {
		if err := writeHead(a.db.path, store.AuditHead{}); err != nil {
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
	a.db.log.Warn(filepath.Base(headFile(a.db.path)) + " was gone, which notes where the audit log ends, and is made anew: rows that were cut off before do not show")
	_, t := Follow(context.Background(), store.Act{Owner: owner, Tool: store.HeadTool, Effect: "writes", Args: args})
	return []store.AuditRow{t.row(store.Intent, "", a.now()), t.row(store.Outcome, store.OK, a.now())}, nil
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
func (db *DB) keepHead(ctx context.Context) error {
	db.audit.mu.Lock()
	head, kept := db.audit.head, db.audit.kept
	db.audit.mu.Unlock()
	if head == kept {
		return nil
	}
	err := db.write(withoutAudit(ctx), func(t *tx) error { // one process at a time: an earlier row never takes the place of a later one
		noted, err := readHead(db.path)
		if err == nil {
			err = bearsOut(t, noted)
		}
		if err == nil && noted.Seq < head.Seq {
			err = writeHead(db.path, head)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("note where the audit log ends: %w", err)
	}
	db.audit.mu.Lock()
	db.audit.kept = head
	db.audit.mu.Unlock()
	return nil
}

// borneOut selects 1 where the log has the row ?1 of the hash ?2, or says that
// this was taken out, else 0.
const borneOut = `SELECT CASE WHEN EXISTS (SELECT 1 FROM main.audit WHERE seq = ?1 AND hash = ?2) THEN 1
	ELSE EXISTS (SELECT 1 FROM (` + prunedTo + `) WHERE seq > ?1 OR seq = ?1 AND hash = ?2) END`

// bearsOut returns an error when the log neither has the row that is noted nor
// says that it was taken out: a note is behind the log after a crash.
func bearsOut(t *tx, noted store.AuditHead) error {
	if noted.Seq == 0 {
		return nil
	}
	borne := false
	err := t.row(borneOut, noted.Seq, noted.Hash[:]).Scan(&borne)
	if err == nil && !borne {
		return fmt.Errorf("%w: it has no row %d as noted", store.ErrCorrupt, noted.Seq)
	}
	return err
}

func readHead(path string) (store.AuditHead, error) {
	raw, err := os.ReadFile(headFile(path))
	if errors.Is(err, fs.ErrNotExist) {
		return store.AuditHead{}, nil
	}
	if err != nil {
		return store.AuditHead{}, err
	}
	head := store.AuditHead{}
	if err := json.Unmarshal(raw, &head); err != nil {
		return store.AuditHead{}, fmt.Errorf("%w: %s: %w", store.ErrCorrupt, filepath.Base(headFile(path)), err)
	}
	return head, nil
}

func writeHead(path string, head store.AuditHead) error {
	raw, err := json.Marshal(head)
	if err != nil {
		return err
	}
	fresh, err := os.CreateTemp(filepath.Dir(path), filepath.Base(headFile(path))+".*") // 0600
	if err != nil {
		return err
	}
	_, err = fresh.Write(append(raw, '\n'))
	if err = errors.Join(err, fresh.Close()); err == nil {
		err = os.Rename(fresh.Name(), headFile(path))
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh.Name()))
	}
	return nil
}
