// Package restore replaces the database by a copy, such as Backup makes. Restore keeps the rows
// about what was sent, approved or counted since the copy was made, and the audit log continues.
// The package therefore knows the tables of outbox, approvals and audit. Start at Restore.
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
	"kota/store/tables/audit"
)

// ErrNotDatabase is the error for a file that SQLite cannot have written.
var ErrNotDatabase = errors.New("it is not a database")

// ErrItself says that the file to restore from is the database itself.
var ErrItself = fmt.Errorf("%w: it is the database itself", store.ErrInvalid)

// Restore replaces the database at targetPath by a copy of the file at sourcePath, such as Backup
// makes. The database at targetPath may be sound, damaged or missing. Restore keeps the old file
// beside the new one (0600), with its journals unless they are empty. It returns the paths of the
// kept files. It does not change the file at sourcePath. It checks and syncs the copy, which only
// its owner can read.
//
// Restore copies from the old file the rows that are newer than the backup: the outbox, used
// approvals, recorded names, limits and the audit log. It drops pending approvals. Outbox items
// that were pending, sending or failed when the backup was made get an unknown outcome. Rows of
// these items in the old file replace them unless they are older. The audit log records the call
// of trail, unless trail is nil.
//
// Restore returns ErrNotDatabase, ErrForeign, ErrNewer or ErrCorrupt if the file at sourcePath is
// not a complete database that Open would accept. It returns ErrInvalid if that file has a
// journal with content, or is the database itself. It returns ErrBusy while another process has
// the database at targetPath open. In these cases it changes no content of the two files. On a
// network file system, where a process holds its lock only during a write, Restore does not
// detect an idle process. Later writes of that process fail with ErrReplaced.
//
// progress receives numbers of bytes, and may be nil. Restore uses only the clock and the version
// of opts.
func Restore(ctx context.Context, sourcePath, targetPath string, opts sqlite.Options, trail *audit.Trail, progress func(done, total int)) ([]string, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	keptPaths, err := restore(ctx, sourcePath, targetPath, opts, trail, progress)
	if err != nil {
		return nil, fmt.Errorf("restore %s: %w", sourcePath, sqlite.Classify(err))
	}
	return keptPaths, nil
}

func restore(ctx context.Context, sourcePath, targetPath string, opts sqlite.Options, trail *audit.Trail, progress func(done, total int)) ([]string, error) {
	targetPath, err := resolvePath(targetPath)
	if err != nil {
		return nil, err
	}
	if err := checkFile(sourcePath, targetPath); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(targetPath), 0o700); err != nil {
		return nil, err
	}
	restoredPath, err := copyBeside(ctx, sourcePath, targetPath, progress)
	if err != nil {
		return nil, err
	}
	defer os.Remove(restoredPath) // fails after a success, because the file was moved
	if err := sqlite.CheckWhole(ctx, restoredPath); err != nil {
		return nil, err
	}
	locked, err := lockFile(ctx, targetPath)
	if err != nil {
		return nil, err
	}
	defer locked.release()
	if err := locked.carryOver(ctx, restoredPath, opts, trail); err != nil {
		return nil, err
	}
	backup := locked.backupName(opts.Now())
	keptPaths, err := locked.replace(restoredPath, backup)
	if err != nil {
		return keptPaths, err
	}
	checkpoint, err := writeCheckpoint(ctx, targetPath, backup)
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

// Check reads the whole file at sourcePath, and returns the error that Restore would return. It
// changes neither file.
func Check(ctx context.Context, sourcePath, targetPath string) error {
	err := checkFile(sourcePath, targetPath)
	if err == nil {
		err = sqlite.CheckWhole(ctx, sourcePath)
	}
	if err == nil {
		err = checkUnused(ctx, sourcePath, targetPath)
	}
	if err != nil {
		return fmt.Errorf("restore %s: %w", sourcePath, sqlite.Classify(err))
	}
	return nil
}

// checkFile returns an error unless sourcePath is a regular file other than targetPath, begins
// like a database, and has no journal with content.
func checkFile(sourcePath, targetPath string) error {
	info, err := os.Stat(sourcePath)
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
	if err := checkHeader(sourcePath); err != nil {
		return err
	}
	if existing, err := os.Stat(targetPath); err == nil && os.SameFile(info, existing) {
		return ErrItself
	}
	for _, suffix := range []string{"-wal", "-journal"} {
		if journal, err := os.Stat(sourcePath + suffix); err == nil && journal.Size() > 0 {
			return fmt.Errorf("%w: it is incomplete without %s; it is in use, or was in use when it was copied", store.ErrInvalid, filepath.Base(sourcePath)+suffix)
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

// copyBeside copies sourcePath to a new file in the folder of targetPath, and syncs it. It
// returns the path of the new file.
func copyBeside(ctx context.Context, sourcePath, targetPath string, progress func(done, total int)) (name string, err error) {
	source, err := os.Open(sourcePath)
	if err != nil {
		return "", err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return "", err
	}
	temp, err := os.CreateTemp(filepath.Dir(targetPath), "kota-restore-*.partial") // 0600
	if err != nil {
		return "", err
	}
	_, err = io.Copy(temp, &progressReader{ctx: ctx, from: source, total: int(info.Size()), progress: progress})
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(temp.Name()))
	}
	return temp.Name(), nil
}

// A progressReader reports its progress and stops when its ctx ends.
type progressReader struct {
	ctx         context.Context
	from        io.Reader
	done, total int
	progress    func(done, total int)
}

func (w *progressReader) Read(buffer []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.from.Read(buffer)
	w.done += n
	if w.progress != nil {
		w.progress(w.done, w.total)
	}
	return n, err
}
