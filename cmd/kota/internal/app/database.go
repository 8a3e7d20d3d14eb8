package app

import (
	"context"
	"log/slog"

	"kota/cmd/kota/internal/tracing"
	"kota/store"
	"kota/store/engine"
	"kota/store/postgres"
	"kota/store/sqlite"
)

// A Database is the open database of one owner. It is a file, or the owner's part of the database of
// a server.
type Database interface {
	engine.DB

	// Close writes pending data and closes the database. That of a server stays open for others.
	Close() error
	// Outdated reports whether the database must be opened again.
	Outdated() bool
	// Watch starts watching for changes by any process.
	Watch(context.Context) (Changes, error)
	// Writable returns nil if the database accepts writes now.
	Writable(context.Context) error
	// Check returns what is wrong with the database, in sentences.
	Check(context.Context) ([]string, error)
	// Describe returns the path of the file, or the host and the name of the database. It has no
	// user and no password.
	Describe() string
}

// Changes detects changes of a Database.
type Changes interface {
	// Wait returns nil once a write may have been committed since the last Wait or since Watch. It
	// returns the error of the context if that ends first.
	Wait(context.Context) error
	Close() error
}

// A FileDatabase is a Database that is a file of this machine.
type FileDatabase interface {
	Database
	Path() string
	// Filesystem returns the name of the network file system of the file, or "".
	Filesystem() string
	Backup(ctx context.Context, path string, progress func(done, total int)) error
}

// A ServerDatabase is a Database of a server.
type ServerDatabase interface {
	Database
	Status(context.Context) (postgres.Status, error)
}

// file is a SQLite file.
type file struct {
	*sqlite.DB
	tracer *tracing.Tracer
}

func (f file) Write(ctx context.Context, run func(engine.Tx) error) error {
	return traceWrite(ctx, f.tracer, func(ctx context.Context) error { return f.DB.Write(ctx, run) })
}

func (f file) WriteUnaudited(ctx context.Context, run func(engine.Tx) error) error {
	return traceWrite(ctx, f.tracer, func(ctx context.Context) error { return f.DB.WriteUnaudited(ctx, run) })
}

// traceWrite makes a span of a write. The span includes the wait for the commit, which may be shared
// with other writes.
func traceWrite(ctx context.Context, tracer *tracing.Tracer, write func(context.Context) error) error {
	ctx, end := tracer.Begin(ctx, "store write")
	err := write(ctx)
	code := ""
	if err != nil {
		code = "failed"
	}
	end(code)
	return err
}

func (f file) Describe() string { return f.Path() }

func (f file) Watch(ctx context.Context) (Changes, error) {
	w, err := f.DB.Watch(ctx)
	if err != nil {
		return nil, err
	}
	version, err := w.Version(ctx)
	if err != nil {
		w.Close()
		return nil, err
	}
	return &fileChanges{w, version}, nil
}

// tenantPart is one owner's part of a PostgreSQL database. The owners share the server, and each has
// a log and a key for secrets of their own.
type tenantPart struct {
	*postgres.DB
	log      *slog.Logger
	sealer   store.Sealer
	readOnly bool // the profile only reads
	tracer   *tracing.Tracer
}

// Outdated returns false: the part of a person is never replaced.
func (p *tenantPart) Outdated() bool { return false }

func (p *tenantPart) Log() *slog.Logger    { return p.log }
func (p *tenantPart) Sealer() store.Sealer { return p.sealer }

func (p *tenantPart) Watch(ctx context.Context) (Changes, error) { return p.DB.Watch(ctx) }

func (p *tenantPart) Write(ctx context.Context, run func(engine.Tx) error) error {
	if p.readOnly {
		return store.ErrReadOnly
	}
	return traceWrite(ctx, p.tracer, func(ctx context.Context) error { return p.DB.Write(ctx, run) })
}

func (p *tenantPart) WriteUnaudited(ctx context.Context, run func(engine.Tx) error) error {
	if p.readOnly {
		return store.ErrReadOnly
	}
	return traceWrite(ctx, p.tracer, func(ctx context.Context) error { return p.DB.WriteUnaudited(ctx, run) })
}

func (p *tenantPart) Erase(ctx context.Context, remove func(engine.Tx) ([]string, error)) (store.EraseResult, error) {
	if p.readOnly {
		return store.EraseResult{}, store.ErrReadOnly
	}
	return p.DB.Erase(ctx, remove)
}

var (
	_ FileDatabase   = file{}
	_ ServerDatabase = (*tenantPart)(nil)
)
