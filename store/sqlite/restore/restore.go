// Package restore puts a copy of the database, such as Backup makes, in the place of
// the one that is used. What was sent, agreed to or spent since the copy was made
// stays on record, and the audit log goes on. It knows the tables of outbox, approvals
// and audit for that. Start at Restore.
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

// Restore puts a copy of the database file from, such as Backup makes, in the
// place of the one at to, whether that is sound, damaged or not there. It
// returns the names under which what was there is kept, beside it (0600): the
// file, and its journals when they hold what the file does not. from is only
// read; the copy is checked, synced and readable by its owner alone. What has left
// since the copy was made, was agreed to, let through or done stays on record: the
// outbox, spent consents, limits and the audit log are carried over. What waited
// for its user in from alone waits no more, and what was on its way there is of
// unknown outcome. The act of the trail, unless
// that is nil, is in the audit log then.
//
// It returns ErrForeign, ErrNewer or ErrCorrupt when from is no whole database
// that Open would take, and ErrBusy while another process has the one at to
// open. It has changed nothing then. On a network file system, where locks are
// held for a write alone, an idle process goes unnoticed: its writes fail
// with ErrReplaced from then on.
//
// progress may be nil; it gets bytes. Only the clock and the version are used of
// opts.
func Restore(ctx context.Context, from, to string, opts sqlite.Options, trail *audit.Trail, progress func(done, total int)) ([]string, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	kept, err := restore(ctx, from, to, opts, trail, progress)
	if err != nil {
		return nil, fmt.Errorf("restore %s: %w", from, sqlite.Classify(err))
	}
	return kept, nil
}

func restore(ctx context.Context, from, to string, opts sqlite.Options, trail *audit.Trail, progress func(done, total int)) ([]string, error) {
	to, err := target(to)
	if err != nil {
		return nil, err
	}
	if err := complete(from, to); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return nil, err
	}
	fresh, err := copyBeside(ctx, from, to, progress)
	if err != nil {
		return nil, err
	}
	defer os.Remove(fresh) // fails when it has taken its place
	if err := sqlite.CheckWhole(ctx, fresh); err != nil {
		return nil, err
	}
	held, err := lockFile(ctx, to)
	if err != nil {
		return nil, err
	}
	defer held.release()
	if err := held.tell(ctx, fresh, opts, trail); err != nil {
		return nil, err
	}
	aside := held.aside(opts.Now())
	kept, err := held.replace(fresh, aside)
	if err != nil {
		return kept, err
	}
	head, err := renewHead(ctx, to, aside)
	if head != "" {
		kept = append(kept, head)
	}
	return kept, err
}

// target follows links: a database may be kept elsewhere.
func target(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return path, nil
	}
	return filepath.EvalSymlinks(path)
}

// complete makes sure that from holds a database by itself.
func complete(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: it is no plain file", store.ErrForeign)
	}
	if present, err := os.Stat(to); err == nil && os.SameFile(info, present) {
		return fmt.Errorf("%w: it is the database itself", store.ErrInvalid)
	}
	for _, suffix := range []string{"-wal", "-journal"} {
		if beside, err := os.Stat(from + suffix); err == nil && beside.Size() > 0 {
			return fmt.Errorf("%w: it is not whole without %s; it is in use, or was when it was copied", store.ErrInvalid, filepath.Base(from)+suffix)
		}
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
	_, err = io.Copy(fresh, &watched{ctx: ctx, from: source, total: int(info.Size()), progress: progress})
	err = errors.Join(err, fresh.Sync(), fresh.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(fresh.Name()))
	}
	return fresh.Name(), nil
}

// watched is a reader that tells how far it is and ends with its ctx.
type watched struct {
	ctx         context.Context
	from        io.Reader
	done, total int
	progress    func(done, total int)
}

func (w *watched) Read(to []byte) (int, error) {
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
