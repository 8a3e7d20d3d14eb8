// Package move moves homes between the file kota.db and a PostgreSQL database, and reports what it
// has done. Begin with Run.
package move

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
	"kota/store"
	"kota/store/engine"
	"kota/store/move"
	"kota/store/postgres"
	"kota/store/postgres/schema"
	"kota/store/tables/index"
)

// Options are the flags of the command.
type Options struct {
	To, From string // a URL, or Configured; one of them is ""
	DryRun   bool
	JSON     bool
}

// Configured stands for the database that bundles.yaml or KOTA_DATABASE_URL names. The URL of a flag
// is visible to others in the list of processes, and this word is not a secret.
const Configured = "configured"

// Run moves the data of one person or of all, and goes on with the others if it fails for one. Its
// error then says for how many it failed.
func Run(ctx context.Context, a *app.App, opts Options) error {
	url, err := check(a, opts)
	if err != nil {
		return err
	}
	people, err := peopleOf(a)
	if err != nil {
		return err
	}
	m := &run{app: a, Options: opts, database: postgres.DescribeURL(url)}
	if opts.To != "" {
		people = withFiles(people)
	}
	if len(people) == 0 {
		return fmt.Errorf("move %s: %w", a.Config.DBPath(), app.ErrNoDatabase)
	}
	if err := m.open(ctx, url); err != nil {
		return err
	}
	failed := 0
	for _, p := range people {
		r := m.move(ctx, p)
		if m.results = append(m.results, r); r.Problem != "" {
			failed++
		}
		if ctx.Err() != nil {
			break
		}
	}
	if err := errors.Join(m.close(), m.print()); err != nil {
		return err
	}
	if failed > 0 && len(people) == 1 {
		return errors.New("the move is not complete; run the same command again when that is solved")
	}
	if failed > 0 {
		return fmt.Errorf("the move is not complete for %d of %d people; run the same command again when that is solved", failed, len(people))
	}
	return nil
}

// check checks the flags and returns the URL of the database.
func check(a *app.App, opts Options) (url string, err error) {
	if (opts.To == "") == (opts.From == "") {
		return "", mistake.Errorf("give --to URL to move to a PostgreSQL database, or --from URL to move back to the file kota.db")
	}
	if err := a.Load(); err != nil {
		return "", err
	}
	if !opts.DryRun {
		if err := a.Policy().Permit("kota migrate", metadata.Writes); err != nil {
			return "", err
		}
	}
	if err := a.Config.ReadSecretsKeys(a.Env); err != nil {
		return "", err
	}
	flag, url := "--to", opts.To
	if opts.From != "" {
		flag, url = "--from", opts.From
	}
	if url == Configured {
		if url = string(a.Config.Database.URL); url == "" {
			return "", mistake.Errorf("%s %s: neither bundles.yaml nor KOTA_DATABASE_URL names a database", flag, Configured)
		}
	}
	if err := postgres.CheckURL(url); err != nil {
		return "", mistake.Errorf("%s: %v", flag, err)
	}
	return url, nil
}

// A run is one run of the command.
type run struct {
	app *app.App
	Options
	database string // the host and the name of the database
	results  []result

	server *postgres.Server // nil in a dry run for a database without tables
}

// open opens the database. A dry run does not create its tables, and another process of KOTA must
// not change what moves to a file.
func (m *run) open(ctx context.Context, url string) (err error) {
	m.server, err = postgres.Open(ctx, url, postgres.Options{Logger: m.app.Log, Version: app.Version, ReadOnly: m.DryRun || m.From != "", Application: move.Application})
	if m.DryRun && m.To != "" && errors.Is(err, schema.ErrNoTables) {
		return nil
	}
	if err != nil || m.From == "" || m.DryRun {
		return err
	}
	if err := m.checkAlone(ctx); err != nil {
		return errors.Join(err, m.close())
	}
	return nil
}

// checkAlone returns an error if another process can use the database.
func (m *run) checkAlone(ctx context.Context) error {
	others, err := move.OtherSessions(ctx, m.server)
	if err == nil && others > 0 {
		err = fmt.Errorf("another process can change the data in %s (it has %s): stop every KOTA with this database, and the clients that started them, and try again", m.database, metadata.CountOf(others, "connection"))
	}
	return err
}

func (m *run) close() error {
	if m.server == nil {
		return nil
	}
	return m.server.Close()
}

// move moves the data of a person.
func (m *run) move(ctx context.Context, p person) result {
	bar := m.app.Progress("moving "+p.label, 0)
	opts := move.Options{
		Version: app.Version, DryRun: m.DryRun, Describe: m.database,
		Index: func(ctx context.Context, db engine.DB) error {
			bar.End()
			return m.index(ctx, db, p.label)
		},
		Progress: func(_ string, done, total int64) { bar.UpdateTotal(int(done), int(total)) },
	}
	copied := secretsResult{Accounts: []string{}, Problems: []string{}}
	opts.Ready = func(ctx context.Context, part *postgres.DB) error {
		if err := m.checkAlone(ctx); err != nil {
			return err
		}
		return m.copySecretsBack(ctx, p, part, &copied)
	}
	r, err := move.Report{}, error(nil)
	if m.To != "" {
		r, err = move.ToServer(ctx, p.path(), m.server, p.name, opts)
	} else {
		r, err = move.ToFile(ctx, m.server, p.name, p.path(), opts)
	}
	bar.End()
	done := newResult(p, r, m.DryRun, explain(err, p))
	done.Secrets = copied
	if m.To != "" && !m.DryRun && err == nil {
		m.copySecrets(ctx, p, &done)
	}
	return done
}

// index builds the search indexes of a database. That takes most of the time of a move.
func (m *run) index(ctx context.Context, db engine.DB, label string) error {
	total, err := index.CountStale(ctx, db, app.Indexes()...)
	if err != nil {
		return err
	}
	bar := m.app.Progress("indexing "+label, total)
	defer bar.End()
	stop := poll(func() {
		if left, err := index.CountStale(ctx, db, app.Indexes()...); err == nil {
			bar.Update(total - left)
		}
	})
	defer stop()
	for _, ix := range app.Indexes() {
		if err := ix.IndexAll(ctx, db); err != nil {
			return fmt.Errorf("build the search index of the moved rows: %w", err)
		}
	}
	return nil
}

// poll calls show every second until stop is called, which waits for a running call.
func poll(show func()) (stop func()) {
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ended:
				return
			case <-time.After(time.Second):
				show()
			}
		}
	}()
	return func() {
		close(ended)
		<-stopped
	}
}

// explain rewords an error for the user.
func explain(err error, p person) error {
	switch {
	case errors.Is(err, move.ErrExists):
		return fmt.Errorf("%w; a move does not replace a database: move kota.db and the files whose names begin with kota.db from %s to another folder, and try again", err, p.app.Config.Home)
	case errors.Is(err, move.ErrOccupied):
		return fmt.Errorf("%w; nothing was changed", err)
	case errors.Is(err, store.ErrBusy) && !errors.As(err, new(interface{ Unavailable() (string, string, bool) })):
		return fmt.Errorf("%w: another kota has the file open; stop it, or the client that started it, and try again", err)
	}
	return err
}
