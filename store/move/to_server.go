package move

import (
	"context"
	"errors"
	"fmt"

	"kota/store"
	"kota/store/postgres"
	"kota/store/sqlite"
)

// ToServer moves the file at path to the part of a person of a PostgreSQL database. It then writes a
// mark beside the file, so that no KOTA uses the file any more.
//
// It returns store.ErrBusy if another process has the file open, ErrOccupied if the database has
// other rows of the person, and store.ErrNewer for tables of a newer KOTA. If the database has the
// same rows already, ToServer only finishes what an interrupted run has left.
func ToServer(ctx context.Context, path string, server *postgres.Server, name string, opts Options) (Report, error) {
	r, err := toServer(ctx, path, server, name, opts)
	if err != nil {
		return r, fmt.Errorf("move %s: %w", path, err)
	}
	return r, nil
}

func toServer(ctx context.Context, path string, server *postgres.Server, name string, opts Options) (Report, error) {
	open := lockFile
	if opts.DryRun {
		open = peek
	}
	source, err := open(ctx, path)
	if err != nil {
		return Report{}, err
	}
	defer source.close()
	if server == nil { // a dry run for a database without tables
		return countAll(ctx, source)
	}
	target, err := openPerson(ctx, server, name)
	if err != nil {
		return Report{}, err
	}
	defer target.close(ctx)
	r, err := fill(ctx, source, target, opts)
	if err != nil || opts.DryRun {
		return r, err
	}
	opts.reach("copied")
	if err := sqlite.MarkMoved(path, opts.Describe); err != nil {
		return r, err
	}
	opts.reach("marked")
	if r.Present && target.moved != "" { // otherwise setHead has done it
		if err := target.setMoved(ctx, ""); err != nil {
			return r, err
		}
	}
	if err := target.commit(ctx); err != nil {
		return r, unmark(path, err)
	}
	opts.reach("committed")
	target.close(ctx)
	part, err := server.Tenant(ctx, name)
	if err != nil {
		return r, err
	}
	return r, opts.Index(ctx, part)
}

// fill copies all rows to the transaction of a person, unless it has them.
func fill(ctx context.Context, source *file, target *person, opts Options) (Report, error) {
	checker, err := checkerOfFile(source.path)
	if err != nil {
		return Report{}, err
	}
	if err := target.checkColumns(ctx); err != nil {
		return Report{}, err
	}
	r, err := checkPresent(ctx, source, target, checker)
	if err != nil || r.Present {
		return r, err
	}
	if opts.DryRun {
		return countAll(ctx, source)
	}
	if r, err = copyAll(ctx, source, target, opts, checker); err != nil {
		return r, err
	}
	last, err := source.numbers(ctx)
	if err != nil {
		return r, err
	}
	return r, target.setHead(ctx, last, r.Audit.Last)
}

// unmark removes the mark after a failed commit, unless the rows may be in the database.
func unmark(path string, err error) error {
	if !postgres.IsRolledBack(err) {
		return fmt.Errorf("%w: %w; run the same command again, which finds out and continues", store.ErrOutcomeUnknown, err)
	}
	return errors.Join(err, sqlite.RemoveMark(path))
}
