package move

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kota/store"
	"kota/store/postgres"
	"kota/store/postgres/failure"
	"kota/store/sqlite"
)

// ErrExists says that there is a database at the path already.
var ErrExists = errors.New("there is a database already")

// ErrEmpty says that the database has no data of a person.
var ErrEmpty = errors.New("the database has no data of this person")

// ToFile moves the part of a person of a PostgreSQL database to a new file at path. The rows in the
// database stay, with a mark: no KOTA uses them any more, until ToServer brings the person back.
//
// It returns ErrExists if there is a file or the mark of one, ErrEmpty if there is nothing to move,
// store.ErrMoved if the data has moved to another file, and store.ErrNewer for tables of a newer KOTA.
// The file gets its name when it is complete. An interrupted move leaves a file whose name ends in
// .moving, which the next one replaces.
func ToFile(ctx context.Context, server *postgres.Server, name, path string, opts Options) (Report, error) {
	r, err := toFile(ctx, server, name, path, opts)
	if err != nil {
		return r, fmt.Errorf("move to %s: %w", path, err)
	}
	return r, nil
}

func toFile(ctx context.Context, server *postgres.Server, name, path string, opts Options) (Report, error) {
	if err := checkFree(path); err != nil {
		return Report{}, err
	}
	place, err := placeOf(path)
	if err != nil {
		return Report{}, err
	}
	source, err := openPerson(ctx, server, name)
	if err != nil {
		return Report{}, err
	}
	defer source.close(ctx)
	if source.moved != "" && source.moved != place {
		return Report{}, fmt.Errorf("%w: the file %s. To move it once more all the same, an administrator removes the mark: see docs/how-to/move.md", store.ErrMoved, source.moved)
	}
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
	r, err := makeFile(ctx, source, path, moving, opts)
	if err == nil && opts.Ready != nil {
		err = opts.Ready(ctx, server.Numbered(source.number))
	}
	if err == nil {
		err = source.leave(ctx, place)
	}
	if err != nil {
		return r, errors.Join(err, removeFile(moving))
	}
	opts.reach("left")
	if err := link(moving, path); err != nil {
		return r, errors.Join(err, removeFile(moving), stay(ctx, server, name, source.moved))
	}
	return r, sqlite.SyncFolder(filepath.Dir(path))
}

// checkFree returns ErrExists if there is a file at path, or the mark of one that has moved.
func checkFree(path string) error {
	for _, taken := range []string{path, sqlite.MarkFile(path)} {
		if !isMissing(taken) {
			return fmt.Errorf("%w: %s", ErrExists, taken)
		}
	}
	return nil
}

// placeOf returns the machine and the path of a file.
func placeOf(path string) (string, error) {
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	path, err = filepath.Abs(path)
	return host + ":" + path, err
}

// makeFile makes a complete file, and the note of the last row of its audit log beside path.
func makeFile(ctx context.Context, source *person, path, moving string, opts Options) (Report, error) {
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
	if err == nil {
		err = checkFree(path)
	}
	if err == nil && r.Audit.Last.Seq > 0 {
		err = sqlite.WriteCheckpoint(path, r.Audit.Last)
	}
	opts.reach("noted")
	return r, err
}

// leave marks the rows of a person as moved and ends the transaction. Afterwards no KOTA uses them.
func (p *person) leave(ctx context.Context, place string) error {
	if err := p.setMoved(ctx, place); err != nil {
		return err
	}
	err := p.commit(ctx)
	if err != nil && !postgres.IsRolledBack(err) {
		return fmt.Errorf("%w: %w; run the same command again, which finds out and continues", store.ErrOutcomeUnknown, err)
	}
	return err
}

// stay removes the mark of leave, unless an earlier move has set it.
func stay(ctx context.Context, server *postgres.Server, name, moved string) error {
	if moved != "" {
		return nil
	}
	p, err := openPerson(ctx, server, name)
	if err != nil {
		return err
	}
	defer p.close(ctx)
	return errors.Join(p.setMoved(ctx, ""), p.commit(ctx))
}

// link gives a complete file its name. It returns ErrExists for a file that another process has made
// meanwhile. Some file systems have no links.
func link(moving, path string) error {
	err := os.Link(moving, path)
	switch {
	case err == nil:
		return os.Remove(moving)
	case !isMissing(path):
		return fmt.Errorf("%w: %s", ErrExists, path)
	}
	return os.Rename(moving, path)
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
		return failure.Classify(err)
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
		return r, failure.Classify(err)
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
