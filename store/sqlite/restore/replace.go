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

// A lockedFile is a database file that no other process can read or write. A damaged file is not
// locked.
type lockedFile struct {
	path    string
	pool    *sql.DB // its only connection holds the lock; nil if the file does not exist
	emptied bool    // the WAL has been moved into the file
}

// lockFile locks the file at path, and moves its WAL into it. In WAL mode every connection holds
// a shared lock while it is open, so lockFile also detects idle connections. It does not lock a
// damaged file. A process that has the damaged file open detects the restore with its next write,
// which fails with ErrReplaced.
func lockFile(ctx context.Context, path string) (*lockedFile, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return &lockedFile{path: path}, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s is not a regular file", store.ErrForeign, path)
	}
	if err := os.Chmod(path, 0o600); err != nil { // a read-only file could not be locked
		return nil, err
	}
	pool, err := sql.Open("sqlite", sqlite.FileURI(path, "mode=rw", "_busy_timeout=1000", "_pragma=locking_mode(EXCLUSIVE)"))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	locked := &lockedFile{path: path, pool: pool}
	if _, err := pool.ExecContext(ctx, "BEGIN EXCLUSIVE; COMMIT"); err != nil { // in this locking mode, COMMIT does not release the lock
		if err = sqlite.Classify(err); errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrIO) {
			return locked, nil
		}
		locked.release()
		return nil, err
	}
	busy, frames, moved := 0, 0, 0
	err = pool.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	locked.emptied = err == nil && busy == 0
	return locked, nil
}

// checkUnused returns ErrBusy if another process has the database at path open. from is a sound
// copy. For a damaged database checkUnused returns nil, because opening the database for writing
// could change it.
func checkUnused(ctx context.Context, from, path string) error {
	if _, err := compareCopy(ctx, from, path); err != nil {
		if err = sqlite.Classify(err); errors.Is(err, store.ErrBusy) {
			return err
		}
		return nil
	}
	pool, err := sql.Open("sqlite", sqlite.FileURI(path, "mode=rw", "_busy_timeout=1000", "_pragma=locking_mode(EXCLUSIVE)"))
	if err != nil {
		return err
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	_, err = pool.ExecContext(ctx, "BEGIN EXCLUSIVE; COMMIT")
	if err = sqlite.Classify(err); errors.Is(err, store.ErrBusy) {
		return err
	}
	return nil
}

func (s *lockedFile) release() {
	if s.pool != nil {
		s.pool.Close()
	}
}

// replace moves the file at restoredPath to the path of the locked file. It keeps the old file at
// backup, with its journals unless they are empty, and returns the paths of the kept files. On a
// file system with hard links, a file exists at the path at every moment: a process that found
// none would create one.
func (s *lockedFile) replace(restoredPath, backup string) (kept []string, err error) {
	if runtime.GOOS == "windows" { // Windows cannot move an open file
		s.release()
	}
	defer func() {
		if err != nil {
			for _, name := range kept {
				err = errors.Join(err, os.Rename(name, s.path+name[len(backup):]))
			}
		}
	}()
	if s.pool != nil {
		if os.Link(s.path, backup) != nil { // not every file system has hard links
			err = os.Rename(s.path, backup)
		}
		if err != nil {
			return nil, err
		}
		kept = append(kept, backup)
	}
	for _, suffix := range sqlite.JournalSuffixes {
		err := s.moveJournal(suffix, backup+suffix)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return kept, err
		}
		if !s.emptied {
			kept = append(kept, backup+suffix)
		}
	}
	if err := os.Rename(restoredPath, s.path); err != nil {
		return kept, err
	}
	return kept, sqlite.SyncFolder(filepath.Dir(s.path))
}

// moveJournal moves a journal, or removes it if the WAL has been moved into the file.
func (s *lockedFile) moveJournal(suffix, to string) error {
	if s.emptied {
		return os.Remove(s.path + suffix)
	}
	if err := os.Rename(s.path+suffix, to); err != nil {
		return err
	}
	return os.Chmod(to, 0o600)
}

// backupName returns a path for the replaced file. No file exists there, and none with the
// suffixes of its journals.
func (s *lockedFile) backupName(now time.Time) string {
	stem := filepath.Join(filepath.Dir(s.path), replacedPrefix+now.Format("2006-01-02T150405.000"))
	name := stem + ".db"
	for n := 2; nameTaken(name); n++ {
		name = fmt.Sprintf("%s-%d.db", stem, n)
	}
	return name
}

func nameTaken(name string) bool {
	for _, suffix := range append([]string{""}, sqlite.JournalSuffixes...) {
		if _, err := os.Lstat(name + suffix); err == nil {
			return true
		}
	}
	return false
}
