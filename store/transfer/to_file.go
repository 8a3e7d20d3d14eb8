package transfer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kota/store"
	"kota/store/postgres"
	"kota/store/sqlite"
)

// ErrExists says that there is a database at the path already.
var ErrExists = errors.New("there is a database already")

// ErrEmpty says that the database has no data of a person.
var ErrEmpty = errors.New("the database has no data of this person")

// ToFile moves the part of a person of a PostgreSQL database to a new file at path. The rows in the
// database stay.
//
// It returns ErrExists if there is a file, ErrEmpty if there is nothing to move, and store.ErrNewer for tables of a newer KOTA. The file
// gets its name when it is complete. An interrupted move leaves a file whose name ends in .moving,
// which the next one replaces.
func ToFile(ctx context.Context, server *postgres.Server, name, path string, opts Options) (Report, error) {
	r, err := toFile(ctx, server, name, path, opts)
	if err != nil {
		return r, fmt.Errorf("move to %s: %w", path, err)
	}
	return r, nil
}

func toFile(ctx context.Context, server *postgres.Server, name, path string, opts Options) (Report, error) {
	if !isMissing(path) {
		return Report{}, ErrExists
	}
	source, err := openPerson(ctx, server, name)
	if err != nil {
		return Report{}, err
	}
	defer source.close(ctx)
	if err := source.checkColumns(ctx); err != nil {
		return Report{}, err
	}
	if err := source.checkCheckpoint(ctx, path); err != nil {
		return Report{}, err
	}
	counted, err := countAll(ctx, source)
	if err == nil && counted.Rows == 0 {
		err = ErrEmpty
	}
	if err != nil || opts.DryRun {
		return counted, err
	}
	moving := path + ".moving"
	if err := create(ctx, moving, opts); err != nil {
		return Report{}, err
	}
	opts.reach("created")
	r, err := fillFile(ctx, source, moving, opts)
	opts.reach("copied")
	if err == nil {
		err = indexFile(ctx, moving, opts)
	}
	opts.reach("indexed")
	if err == nil && r.Audit.Last.Seq > 0 {
		err = sqlite.WriteCheckpoint(path, r.Audit.Last)
	}
	opts.reach("noted")
	if err != nil {
		return r, errors.Join(err, removeFile(moving))
	}
	if err := os.Rename(moving, path); err != nil {
		return r, err
	}
	return r, sqlite.SyncFolder(filepath.Dir(path))
}

// checkCheckpoint returns an error if the file that names the last row of the audit log is there
// without its database, and names a row that the log to move does not have. That database was lost:
// the user must decide about it.
func (p *person) checkCheckpoint(ctx context.Context, path string) error {
	end, err := sqlite.ReadCheckpoint(path)
	if err != nil || end.Seq == 0 {
		return err
	}
	contained := false
	err = p.tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM audit WHERE owner = $1 AND seq = $2 AND hash = $3)", p.number, end.Seq, end.Hash[:]).Scan(&contained)
	if err != nil {
		return postgres.Classify(err)
	}
	if !contained {
		return fmt.Errorf("%w: %s is of another database, which is missing; move it elsewhere", ErrExists, sqlite.CheckpointFile(path))
	}
	return nil
}

// create creates an empty database at path, and replaces what an interrupted move has left there.
func create(ctx context.Context, path string, opts Options) error {
	if err := removeFile(path); err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, path, sqlite.Options{Version: opts.Version})
	if err != nil {
		return err
	}
	return db.Close()
}

// fillFile copies all rows to a new file and reads them again.
func fillFile(ctx context.Context, source *person, path string, opts Options) (r Report, err error) {
	target, err := openFile(ctx, path, "mode=rw", "_txlock=immediate")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, target.close()) }()
	if target.tx, err = target.pool.BeginTx(ctx, nil); err != nil {
		return r, sqlite.Classify(err)
	}
	defer target.tx.Rollback()
	seq, hash := int64(0), []byte(nil)
	if err := source.tx.QueryRow(ctx, "SELECT seq, hash FROM heads WHERE owner = $1", source.number).Scan(&seq, &hash); err != nil {
		return r, postgres.Classify(err)
	}
	checker := store.NewAuditChecker()
	if seq > 0 { // the log must end where the database says
		checker = store.NewAuditChecker(store.NotedRow{Seq: seq, HashPrefix: fmt.Sprintf("%x", hash)})
	}
	if r, err = copyAll(ctx, source, target, opts, checker); err != nil {
		return r, err
	}
	last, err := source.numbers(ctx)
	if err != nil {
		return r, err
	}
	if err := target.setNumbers(ctx, last); err != nil {
		return r, err
	}
	return r, sqlite.Classify(target.tx.Commit())
}

// indexFile builds the search index of a file.
func indexFile(ctx context.Context, path string, opts Options) error {
	db, err := sqlite.Open(ctx, path, sqlite.Options{Version: opts.Version})
	if err != nil {
		return err
	}
	return errors.Join(opts.Index(ctx, db), db.Close())
}

// removeFile removes a database file and what SQLite keeps beside it.
func removeFile(path string) error {
	for _, suffix := range append([]string{""}, sqlite.JournalSuffixes...) {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
