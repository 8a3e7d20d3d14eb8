package restore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"kota/store"
	"kota/store/sqlite"
)

// A lockedFile is a file that no other process can read or write.
type lockedFile struct {
	path    string
	pool    *sql.DB // its one connection has the lock; nil when there is nothing to lock
	emptied bool    // the file holds all that its journals held
}

// lockFile locks the file at path, and moves its WAL into it. In WAL mode every
// connection has a shared lock for as long as it lives, so that one which is
// idle is noticed too. A damaged file cannot be locked, but who has it open
// finds out with the next write (see inPlace).
func lockFile(ctx context.Context, path string) (*lockedFile, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return &lockedFile{path: path}, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s is no plain file", store.ErrForeign, path)
	}
	if err := os.Chmod(path, 0o600); err != nil { // one that was read-only could not be locked
		return nil, err
	}
	pool, err := sql.Open("sqlite", sqlite.FileURI(path, "mode=rw", "_busy_timeout=1000", "_pragma=locking_mode(EXCLUSIVE)"))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	held := &lockedFile{path: path, pool: pool}
	if _, err := pool.ExecContext(ctx, "BEGIN EXCLUSIVE; COMMIT"); err != nil { // the mode keeps the lock
		if err = sqlite.Classify(err); errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrIO) {
			return held, nil
		}
		held.release()
		return nil, err
	}
	busy, frames, moved := 0, 0, 0
	err = pool.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	held.emptied = err == nil && busy == 0
	return held, nil
}

func (s *lockedFile) release() {
	if s.pool != nil {
		s.pool.Close()
	}
}

// replace keeps what is there under the name aside, and its journals beside
// that, which it returns, and moves fresh into its place. There is a file at every moment: a process that found
// none would make one.
func (s *lockedFile) replace(fresh, aside string) (kept []string, err error) {
	if runtime.GOOS == "windows" { // an open file cannot be moved there
		s.release()
	}
	defer func() {
		if err != nil {
			for _, name := range kept {
				err = errors.Join(err, os.Rename(name, s.path+name[len(aside):]))
			}
		}
	}()
	if s.pool != nil {
		if os.Link(s.path, aside) != nil { // not every file system has links
			err = os.Rename(s.path, aside)
		}
		if err != nil {
			return nil, err
		}
		kept = append(kept, aside)
	}
	for _, suffix := range sqlite.Journals {
		err := s.moveJournal(suffix, aside+suffix)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return kept, err
		}
		if !s.emptied {
			kept = append(kept, aside+suffix)
		}
	}
	if err := os.Rename(fresh, s.path); err != nil {
		return kept, err
	}
	return kept, syncFolder(filepath.Dir(s.path))
}

// moveJournal takes a journal away: one that holds nothing for good.
func (s *lockedFile) moveJournal(suffix, to string) error {
	if s.emptied {
		return os.Remove(s.path + suffix)
	}
	if err := os.Rename(s.path+suffix, to); err != nil {
		return err
	}
	return os.Chmod(to, 0o600)
}

// aside is a name that is free, also for the journals.
func (s *lockedFile) aside(now time.Time) string {
	stem := filepath.Join(filepath.Dir(s.path), replacedPrefix+now.Format("2006-01-02T150405.000"))
	name := stem + ".db"
	for n := 2; taken(name); n++ {
		name = fmt.Sprintf("%s-%d.db", stem, n)
	}
	return name
}

func taken(name string) bool {
	for _, suffix := range append([]string{""}, sqlite.Journals...) {
		if _, err := os.Lstat(name + suffix); err == nil {
			return true
		}
	}
	return false
}

// syncFolder makes names last.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" { // it does so by itself, and opens no folder
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
