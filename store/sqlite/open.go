// Package sqlite stores the types of package store in one SQLite file.
//
// A write is acknowledged only after it was synced to the disk, so acknowledged writes survive a
// kill and a power failure. Several processes may use one file at the same time. A change or a
// deletion of a memory or of a row of the diary keeps the previous version. Only Erase removes it.
//
// All callers of a process share one connection that writes (see writer). A few other connections
// read. Every row with user data has an owner.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	_ "modernc.org/sqlite"

	"kota/store"
	"kota/store/engine"
)

// Options configure Open. The zero Options are valid.
type Options struct {
	Now     func() time.Time // the clock; time.Now if nil
	Logger  *slog.Logger     // for repairs, and for problems such as a network file system; silent if nil
	Version string           // version of the program; written into the file when the tables change
	Sealer  store.Sealer     // for secret memories; nil: secrets are neither stored nor read

	// ReadOnly opens the file without ever writing to it: see Open.
	ReadOnly bool

	// SmallCache limits the page cache to about 1 MB, for a process with many open databases.
	SmallCache bool

	filesystem func(dir string) string // returns the type of the file system of a folder; tests replace it
	schemas    []string                // the migration steps; tests omit the last ones
}

// A DB is an open database file. It is safe for concurrent use.
type DB struct {
	path           string
	identity       os.FileInfo // identifies the file, to detect another file at its path
	filesystem     string      // name of the network file system; "" for a local one
	immutable      bool        // opened as immutable, because its folder is not writable
	readOnly       bool        // see Options.ReadOnly
	maxIdleReaders int         // how many idle reading connections stay open
	cache          string      // page cache per connection, as for PRAGMA cache_size
	placeholder    *sql.DB     // keeps the in-memory database that replaces a missing file; nil if the file exists
	memoryName     string      // name of the in-memory database; "" if the file exists
	now            func() time.Time
	log            *slog.Logger
	version        string
	sealer         store.Sealer

	writePool *sql.DB // one connection, used by writer
	writer    writer

	engine.Extensions

	idleWork *debouncer
	cleaning chan struct{} // holds one token while a cleanup after an erasure runs

	readPool *sql.DB
	prepared sync.Map // query → *sql.Stmt of readPool
}

// The processor limits the speed of SQLite, so more reading connections would only cost memory.
// The cache sizes are per connection; a negative number means KiB.
const (
	maxReaders, defaultCache     = 4, "-16000"
	smallIdleReaders, smallCache = 2, "-300"
)

// Open opens the database file at path. It creates the file (0600) and its folder (0700) if they
// are missing. If others can read the file, Open removes their access and logs that. Open
// migrates older tables, after it copied the file next to the original. Open also removes text
// that an earlier Erase had to leave in the file.
//
// Open returns ErrForeign for a file of another program and ErrNewer for one that a later KOTA has
// changed. It returns ErrCorrupt for a file that is no database. It also returns ErrCorrupt for a
// missing or empty file if its audit log had rows according to the checkpoint, or the checkpoint
// cannot be read. It does not change the content of these files. It opens a file that can be read
// but not written; writes then fail with ErrReadOnly.
//
// With Options.ReadOnly all writes fail with ErrReadOnly, and neither Open nor Close changes a
// byte of the file or its WAL. Open does not create a missing file: an empty database in memory
// replaces it. Outdated reports whether a file has appeared since. Open returns ErrOlder for older
// tables.
//
// On a network file system, where the shared memory of WAL mode does not work, the journal mode
// is TRUNCATE. Open logs that.
func Open(ctx context.Context, path string, opts Options) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db := &DB{path: abs, now: opts.Now, log: opts.Logger, version: opts.Version, sealer: opts.Sealer, readOnly: opts.ReadOnly, maxIdleReaders: maxReaders, cache: defaultCache, cleaning: make(chan struct{}, 1)}
	if opts.SmallCache {
		db.maxIdleReaders, db.cache = smallIdleReaders, smallCache
	}
	db.idleWork = newDebouncer(func(ctx context.Context) error {
		return db.RunRecovered("work in the background", func() error { return db.runIdleWork(ctx) })
	})
	if db.now == nil {
		db.now = time.Now
	}
	if db.log == nil {
		db.log = slog.New(slog.DiscardHandler)
	}
	if opts.filesystem == nil {
		opts.filesystem = filesystemOf
	}
	if opts.schemas == nil {
		opts.schemas = schemas
	}
	if err := db.prepareFile(); err != nil {
		return nil, fmt.Errorf("open %s: %w", abs, Classify(err))
	}
	if db.readOnly && db.identity == nil {
		if err := db.makePlaceholder(ctx, opts.schemas); err != nil {
			db.closePools()
			return nil, fmt.Errorf("open a placeholder for %s: %w", abs, err)
		}
	}
	db.filesystem = networkName(opts.filesystem(filepath.Dir(abs)))
	if err := db.connect(ctx, opts.schemas); err != nil {
		db.closePools()
		return nil, fmt.Errorf("open %s: %w", abs, Classify(err))
	}
	if !db.readOnly {
		db.cleanOnOpen(ctx)
	}
	return db, nil
}

// cleanOnOpen completes an erasure whose text is still in the file, and removes expired approvals.
// It stops after cleanTimeout.
func (db *DB) cleanOnOpen(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, cleanTimeout)
	defer cancel()
	if err := db.clean(ctx, 1); errors.Is(Classify(err), store.ErrCorrupt) {
		db.log.Warn("the database file is damaged: kota doctor says more", "file", db.path, "err", err)
	} else if err != nil {
		db.log.Info("erased text is still in the file", "file", db.path, "err", err)
		db.idleWork.retry()
	}
	if err := db.deleteExpired(ctx); err != nil {
		db.log.Debug("expired approvals are still in the file", "file", db.path, "err", err)
	}
}

// closePools closes everything that a failed Open has opened.
func (db *DB) closePools() {
	if db.writer.conn != nil {
		db.writer.conn.Close()
	}
	for _, pool := range []*sql.DB{db.writePool, db.readPool, db.placeholder} {
		if pool != nil {
			pool.Close()
		}
	}
}

// connect opens the pools and checks that the file belongs to KOTA. It then migrates the tables,
// unless the database is read-only.
func (db *DB) connect(ctx context.Context, schemas []string) error {
	applied, err := db.openPools(ctx, len(schemas))
	if errors.Is(Classify(err), store.ErrReadOnly) && db.hasNoWAL() {
		db.log.Warn("the folder of the database is not writable; the database is opened only for reading", "file", db.path)
		db.closePools()
		db.immutable = true
		applied, err = db.openPools(ctx, len(schemas))
	}
	if err != nil {
		return err
	}
	if err := db.checkNotReplaced(); err != nil {
		return err
	}
	if err := db.checkNotMoved(); err != nil { // a move that held the lock may have ended meanwhile
		return err
	}
	if db.readOnly {
		return upToDate(applied, len(schemas))
	}
	if err := db.setJournal(ctx, db.writer.conn); err != nil {
		return err
	}
	return db.migrate(ctx, db.writer.conn, applied, schemas)
}

// hasNoWAL reports whether the file has no WAL beside it. An immutable connection would ignore
// the changes in a WAL.
func (db *DB) hasNoWAL() bool {
	_, err := os.Stat(db.path + "-wal")
	return errors.Is(err, os.ErrNotExist)
}

// openPools opens the pools and the writing connection. It returns how many migration steps the
// file has had, like checkSchema.
func (db *DB) openPools(ctx context.Context, known int) (int, error) {
	writing, err := sql.Open("sqlite", db.dsn("_txlock=immediate", "_busy_timeout="+busyPoll))
	if err != nil {
		return 0, err
	}
	db.writePool = writing
	db.writePool.SetMaxOpenConns(1)
	reading, err := sql.Open("sqlite", db.dsn("_query_only=1", "_busy_timeout=5000", "_pragma=cache_size("+db.cache+")"))
	if err != nil {
		return 0, err
	}
	db.readPool = reading
	db.readPool.SetMaxOpenConns(maxReaders)
	db.readPool.SetMaxIdleConns(db.maxIdleReaders)
	conn, err := db.writePool.Conn(ctx)
	if err != nil {
		return 0, err
	}
	db.writer = writer{
		lock: make(chan struct{}, 1), stop: make(chan struct{}),
		db: db, conn: conn, stmts: map[string]*sql.Stmt{},
	}
	applied := 0
	err = retryBusy(ctx, nil, func() error {
		applied, err = checkSchema(ctx, conn, known)
		return err
	})
	return applied, err
}

// setJournal sets the journal mode, and how conn commits. With synchronous = FULL, a commit
// returns after the sync, in both journal modes.
func (db *DB) setJournal(ctx context.Context, conn *sql.Conn) error {
	mode := "WAL"
	if db.filesystem != "" {
		mode = "TRUNCATE"
		db.log.Warn("the database is on a network file system: WAL is off, and other machines must not use it at the same time",
			"file", db.path, "filesystem", db.filesystem)
	}
	err := retryBusy(ctx, nil, func() error {
		_, err := conn.ExecContext(ctx, "PRAGMA journal_mode = "+mode)
		return err
	})
	if err != nil && !errors.Is(Classify(err), store.ErrReadOnly) {
		return fmt.Errorf("set journal mode: %w", err)
	}
	// The WAL is moved into the file at 16 MB. A page that every write changes is then moved only
	// once for many writes.
	_, err = conn.ExecContext(ctx, `PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = `+db.cache+`;
		PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 16777216`)
	return err
}

// Cleanup in Open and Close may wait for other processes, but only briefly, because the user is
// waiting too.
const (
	cleanTimeout = 2 * time.Second        // to complete an erasure
	flushTimeout = 200 * time.Millisecond // for the Close of hooks
	closeTimeout = 500 * time.Millisecond // for writes that wait for another process, and again for the running write
)

// Close waits for running writes and closes the file. A write that still waits for another
// process after half a second fails with ErrClosed. Later writes fail with ErrClosed, and later
// reads fail too. Close takes little more than a second. It returns ErrBusy if a write is still
// running then; the end of the process cancels that write. A second Close does nothing.
func (db *DB) Close() error {
	stop := time.AfterFunc(closeTimeout, db.writer.stopWaiting)
	defer stop.Stop()
	flushing, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	for _, h := range db.Hooks() {
		if h.Close != nil {
			h.Close(flushing)
		}
	}
	db.idleWork.close(closeTimeout)
	closed, err := db.writer.close()
	if !closed {
		return err
	}
	err = errors.Join(err, db.readPool.Close(), db.writePool.Close())
	if db.placeholder != nil {
		err = errors.Join(err, db.placeholder.Close())
	}
	if db.readOnly {
		db.removeEmptyWAL()
	}
	if err != nil {
		return fmt.Errorf("close %s: %w", db.path, err)
	}
	return nil
}
