// Package restore replaces the database by a copy, such as Backup makes. Records of what was
// sent, approved or used since the copy was made are kept, and the audit log continues. The
// package therefore knows the tables of outbox, approvals and audit. Start at Restore.
package restore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/audit"
)

// ErrNotDatabase is the error for a file that SQLite cannot have written.
var ErrNotDatabase = errors.New("it is not a database")

// Restore replaces the database at to by a copy of the file from, such as Backup makes. The
// database at to may be sound, damaged or missing. Restore keeps the old file beside the new one
// (0600), with its journals unless they are empty. It returns the names of the kept files. It only
// reads from. The copy is checked, synced, and readable only by its owner.
//
// Records since the copy was made are carried over: the outbox, used consents, limits and the audit
// log. Approvals that are pending in from are dropped. Items that were not sent when the copy was
// made get an unknown outcome, unless the old file has newer records of them. The audit log records
// the call of trail, unless trail is nil.
//
// Restore returns ErrNotDatabase, ErrForeign, ErrNewer or ErrCorrupt if from is not a complete
// database that Open would accept. It returns ErrBusy while another process has the database at to open. It has
// changed nothing then. On a network file system, where locks are only held during a write, an idle
// process goes unnoticed. Its later writes fail with ErrReplaced.
//
// progress receives bytes, and may be nil. Restore uses only the clock and the version of opts.
func Restore(ctx context.Context, from, to string, opts sqlite.Options, trail *audit.Trail, progress func(done, total int)) ([]string, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	keptPaths, err := restore(ctx, from, to, opts, trail, progress)
	if err != nil {
		return nil, fmt.Errorf("restore %s: %w", from, sqlite.Classify(err))
	}
	return keptPaths, nil
}

func restore(ctx context.Context, from, to string, opts sqlite.Options, trail *audit.Trail, progress func(done, total int)) ([]string, error) {
	to, err := resolvePath(to)
	if err != nil {
		return nil, err
	}
	if err := checkFile(from, to); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return nil, err
	}
	fresh, err := copyBeside(ctx, from, to, progress)
	if err != nil {
		return nil, err
	}
	defer os.Remove(fresh) // fails if it has replaced the database
	if err := sqlite.CheckWhole(ctx, fresh); err != nil {
		return nil, err
	}
	locked, err := lockFile(ctx, to)
	if err != nil {
		return nil, err
	}
	defer locked.release()
	if err := locked.carryOver(ctx, fresh, opts, trail); err != nil {
		return nil, err
	}
	backup := locked.backupName(opts.Now())
	keptPaths, err := locked.replace(fresh, backup)
	if err != nil {
		return keptPaths, err
	}
	checkpoint, err := writeCheckpoint(ctx, to, backup)
	if checkpoint != "" {
		keptPaths = append(keptPaths, checkpoint)
	}
	return keptPaths, err
}

// resolvePath resolves symbolic links, because the database may be stored elsewhere.
func resolvePath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return path, nil
	}
	return filepath.EvalSymlinks(path)
}

// CheckFile returns the error of Restore if it is clear from the type and the first bytes of from.
func CheckFile(from, to string) error {
	if err := checkFile(from, to); err != nil {
		return fmt.Errorf("restore %s: %w", from, err)
	}
	return nil
}

// checkFile returns an error unless from is a regular file other than to, begins like a database,
// and has no journal with content.
func checkFile(from, to string) error {
	info, err := os.Stat(from)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%w: it is a folder", ErrNotDatabase)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: it is not a regular file", ErrNotDatabase)
	case info.Size() == 0:
		return fmt.Errorf("%w: it is empty", ErrNotDatabase)
	}
	if err := checkHeader(from); err != nil {
		return err
	}
	if existing, err := os.Stat(to); err == nil && os.SameFile(info, existing) {
		return fmt.Errorf("%w: it is the database itself", store.ErrInvalid)
	}
	for _, suffix := range []string{"-wal", "-journal"} {
		if journal, err := os.Stat(from + suffix); err == nil && journal.Size() > 0 {
			return fmt.Errorf("%w: it is incomplete without %s; it is in use, or was in use when it was copied", store.ErrInvalid, filepath.Base(from)+suffix)
		}
	}
	return nil
}

// checkHeader returns ErrNotDatabase unless the file begins with the header of SQLite.
func checkHeader(name string) error {
	const header = "SQLite format 3\x00"
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	start := make([]byte, len(header))
	switch _, err := io.ReadFull(file, start); {
	case errors.Is(err, io.ErrUnexpectedEOF), err == nil && string(start) != header:
		return ErrNotDatabase
	case err != nil:
		return err
	}
	return nil
}

// copyBeside copies from to a new file in the folder of to and syncs it.
func copyBeside(ctx context.Context, from, to string, progress func(done, total int)) (name string, err error) {
	source, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return "", err
	}
	fresh, err := os.CreateTemp(filepath.Dir(to), "kota-restore-*.partial") // 0600
	if err != nil {
		return "", err
	}
	_, err = io.Copy(fresh, &progressReader{ctx: ctx, from: source, total: int(info.Size()), progress: progress})
	err = errors.Join(err, fresh.Sync(), fresh.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(fresh.Name()))
	}
	return fresh.Name(), nil
}

// A progressReader reports its progress and stops when its ctx ends.
type progressReader struct {
	ctx         context.Context
	from        io.Reader
	done, total int
	progress    func(done, total int)
}

func (w *progressReader) Read(to []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.from.Read(to)
	w.done += n
	if w.progress != nil {
		w.progress(w.done, w.total)
	}
	return n, err
}
