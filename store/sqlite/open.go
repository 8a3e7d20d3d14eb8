// Package sqlite keeps what package store defines in one SQLite file.
//
// A write is acknowledged after it was synced to the disk, and never before:
// what was acknowledged survives a kill and a power cut. Several processes
// may use one file at once. Nothing that a caller changes or deletes is lost
// until it is erased on purpose: the state before is kept as a version.
//
// There is one connection that writes, shared by all callers of a process
// (see write), and a few that read. Every row has an owner.
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
)

// Options tell Open what the file cannot. The zero Options will do.
type Options struct {
	Now     func() time.Time // the clock; time.Now when nil
	Logger  *slog.Logger     // told of repairs and of reduced guarantees; silent when nil
	Version string           // of the program, written into the file when its tables change
	Sealer  store.Sealer     // of secret memories; nil: none is kept or read

	// ReadOnly opens the file so that nothing writes a byte of it: see Open.
	ReadOnly bool

	// OneOfMany keeps little of the file in memory, about 1 MB: for a process that
	// has many open.
	OneOfMany bool

	filesystem func(dir string) string // names the type of file system a folder is on; tests replace it
	schemas    []string                // the steps of migration; tests leave the last out
}

// A DB is an open database file. Its methods may be called from any
// goroutine.
type DB struct {
	path        string
	opened      os.FileInfo // tells the file from another that comes to its path
	filesystem  string      // named only when it is a network one
	immutable   bool        // opened as it is: neither its folder nor it can be written
	readOnly    bool        // as Options say
	resting     int         // how many connections that read stay open when they have nothing to do
	cache       string      // what each connection keeps of the file, as PRAGMA cache_size says it
	placeholder *sql.DB     // keeps the empty database in memory that stands for a missing file; nil otherwise
	memory      string      // the name of that database, "" otherwise
	now         func() time.Time
	log         *slog.Logger
	version     string
	sealer      store.Sealer

	writing *sql.DB // one connection, held by writer
	writer  writer

	extensions extensions

	idle     *debouncer
	cleaning chan struct{} // holds one token while somebody cleans up after an erasure

	reading  *sql.DB
	prepared sync.Map // query → *sql.Stmt on reading
}

// SQLite is bound by the processor, so more connections that read only cost memory.
// What each connection keeps of the file is in KiB, and negative.
const (
	readers, cache             = 4, "-16000"
	restingOfMany, cacheOfMany = 2, "-300"
)

// Open opens the database file at path, and creates it and its folder when
// they are not there: the folder for its owner alone (0700), the file too
// (0600). A file that others may read is tightened, which is logged. Older
// tables are migrated, after the file was copied next to it. Text that an Erase
// had to leave in the file is removed.
//
// It returns ErrForeign for the file of another program, ErrNewer for one
// that a later KOTA has changed, ErrCorrupt for one that is no database, or that
// is gone or empty where the note of its audit log is still there; it changes none
// of these. A file that may be read but not written opens: its
// writes fail with ErrReadOnly.
//
// With Options.ReadOnly so do all writes, and neither the file nor its log
// changes by a byte, by Close either. Where there is no file none is made: an
// empty database stands for it, until Outdated says that there is one. One with
// older tables is refused with ErrOlder.
//
// On a network file system, where the shared memory of WAL mode does not
// work, the journal is TRUNCATE and the log says so.
func Open(ctx context.Context, path string, opts Options) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db := &DB{path: abs, now: opts.Now, log: opts.Logger, version: opts.Version, sealer: opts.Sealer, readOnly: opts.ReadOnly, resting: readers, cache: cache, cleaning: make(chan struct{}, 1)}
	if opts.OneOfMany {
		db.resting, db.cache = restingOfMany, cacheOfMany
	}
	db.idle = newIdler(func(ctx context.Context) error {
		return db.Safely("work in the background", func() error { return db.tidy(ctx) })
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
	if db.readOnly && db.opened == nil {
		if err := db.makePlaceholder(ctx, opts.schemas); err != nil {
			db.abandon()
			return nil, fmt.Errorf("open a stand-in for %s: %w", abs, err)
		}
	}
	db.filesystem = networkName(opts.filesystem(filepath.Dir(abs)))
	if err := db.connect(ctx, opts.schemas); err != nil {
		db.abandon()
		return nil, fmt.Errorf("open %s: %w", abs, Classify(err))
	}
	if !db.readOnly {
		db.cleanFirst(ctx)
	}
	return db, nil
}

// cleanFirst makes up for an erasure whose text could not leave the file, and
// forgets requests that have expired, as far as there is time.
func (db *DB) cleanFirst(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, cleanPatience)
	defer cancel()
	if err := db.clean(ctx, 1); errors.Is(Classify(err), store.ErrCorrupt) {
		db.log.Warn("the database file is damaged: kota doctor says more", "file", db.path, "err", err)
	} else if err != nil {
		db.log.Info("text that was erased is still in the file", "file", db.path, "err", err)
		db.idle.tryAgain()
	}
	if err := db.forgetExpired(ctx); err != nil {
		db.log.Debug("requests that have expired are still in the file", "file", db.path, "err", err)
	}
}

// abandon closes what a failed Open has opened.
func (db *DB) abandon() {
	if db.writer.conn != nil {
		db.writer.conn.Close()
	}
	for _, pool := range []*sql.DB{db.writing, db.reading, db.placeholder} {
		if pool != nil {
			pool.Close()
		}
	}
}

// connect opens the connection that writes, makes sure that the file is
// KOTA's before it changes anything in it, and brings its tables up to date.
func (db *DB) connect(ctx context.Context, schemas []string) error {
	seen, err := db.dial(ctx, len(schemas))
	if errors.Is(Classify(err), store.ErrReadOnly) && db.isAtRest() {
		db.log.Warn("the folder of the database may not be written: it is opened as it is, for reading", "file", db.path)
		db.abandon()
		db.immutable = true
		seen, err = db.dial(ctx, len(schemas))
	}
	if err != nil {
		return err
	}
	if err := db.inPlace(); err != nil {
		return err
	}
	if db.readOnly {
		return upToDate(seen, len(schemas))
	}
	if err := db.setJournal(ctx, db.writer.conn); err != nil {
		return err
	}
	return db.migrate(ctx, db.writer.conn, seen, schemas)
}

// isAtRest reports whether the file has no WAL beside it. One that has could
// only be read together with that, which takes a folder that can be written.
func (db *DB) isAtRest() bool {
	_, err := os.Stat(db.path + "-wal")
	return errors.Is(err, os.ErrNotExist)
}

// dial opens the pools and the connection that writes, and returns how many
// of the known steps of migration the file has seen.
func (db *DB) dial(ctx context.Context, known int) (int, error) {
	writing, err := sql.Open("sqlite", db.dsn("_txlock=immediate", "_busy_timeout="+busyPoll))
	if err != nil {
		return 0, err
	}
	db.writing = writing
	db.writing.SetMaxOpenConns(1)
	reading, err := sql.Open("sqlite", db.dsn("_query_only=1", "_busy_timeout=5000", "_pragma=cache_size("+db.cache+")"))
	if err != nil {
		return 0, err
	}
	db.reading = reading
	db.reading.SetMaxOpenConns(readers)
	db.reading.SetMaxIdleConns(db.resting)
	conn, err := db.writing.Conn(ctx)
	if err != nil {
		return 0, err
	}
	db.writer = writer{
		lock: make(chan struct{}, 1), stop: make(chan struct{}),
		db: db, conn: conn, stmts: map[string]*sql.Stmt{},
	}
	seen := 0
	err = whileBusy(ctx, nil, func() error {
		seen, err = identify(ctx, conn, known)
		return err
	})
	return seen, err
}

// setJournal sets how this connection commits. FULL syncs before a commit
// returns, in both journal modes.
func (db *DB) setJournal(ctx context.Context, conn *sql.Conn) error {
	mode := "WAL"
	if db.filesystem != "" {
		mode = "TRUNCATE"
		db.log.Warn("the database is on a network file system: WAL is off, and other machines must not use it at the same time",
			"file", db.path, "filesystem", db.filesystem)
	}
	err := whileBusy(ctx, nil, func() error {
		_, err := conn.ExecContext(ctx, "PRAGMA journal_mode = "+mode)
		return err
	})
	if err != nil && !errors.Is(Classify(err), store.ErrReadOnly) {
		return fmt.Errorf("set journal mode: %w", err)
	}
	// A WAL of 16 MB is moved into the file at a time: pages that every write
	// changes are moved once for many writes.
	_, err = conn.ExecContext(ctx, `PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = `+db.cache+`;
		PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 16777216`)
	return err
}

// What Open and Close take upon themselves may wait for other processes, but
// not long: whoever starts or ends a program stands and waits too.
const (
	cleanPatience = 2 * time.Second        // at most, for what an erasure has left
	flushPatience = 200 * time.Millisecond // for counts that can be lost
	closePatience = 500 * time.Millisecond // for writes that wait for another process, and again for the one under way
)

// Close waits for the writes in progress and closes the file. A write that
// still waits for another process after half a second fails with ErrClosed; so
// do writes after Close, and reads fail too. It waits little more than a second
// in all, and returns ErrBusy when a write is still under way by then, which
// the end of the process breaks off. A second Close does nothing.
func (db *DB) Close() error {
	last := time.AfterFunc(closePatience, db.writer.giveUp)
	defer last.Stop()
	flushing, cancel := context.WithTimeout(context.Background(), flushPatience)
	defer cancel()
	for _, h := range db.hooks() {
		if h.Close != nil {
			h.Close(flushing)
		}
	}
	db.idle.close(closePatience)
	closed, err := db.writer.close()
	if !closed {
		return err
	}
	err = errors.Join(err, db.reading.Close(), db.writing.Close())
	if db.placeholder != nil {
		err = errors.Join(err, db.placeholder.Close())
	}
	if db.readOnly {
		db.tidyUp()
	}
	if err != nil {
		return fmt.Errorf("close %s: %w", db.path, err)
	}
	return nil
}
