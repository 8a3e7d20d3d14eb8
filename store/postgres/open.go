// Package postgres stores the types of package store in a PostgreSQL database, for any number of
// people and of processes.
//
// Each row has the number of its person. Row-level security shows a statement only the rows of the
// person whose number the transaction has set. Acknowledged writes are on the disk of the server.
//
// A write goes from DB.Write to a lane (lane.go, loop.go), which runs many writes as one group
// (group.go, part.go) in few trips (trip.go), and learns the outcome (commit.go, outcome_unknown.go,
// outcome.go). Reads: read.go. Tables: package schema. Changes of others: listen.go. Background work:
// idle.go.
package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"kota/store"
	"kota/store/postgres/schema"
)

// Options configure Open. The zero Options are valid.
type Options struct {
	Now     func() time.Time // replaces the clock of the database server, for tests
	Logger  *slog.Logger     // for problems that no caller sees; silent if nil
	Version string           // version of the program; written into the database when the tables change
	Sealer  store.Sealer     // for secret memories; nil: secrets are neither stored nor read

	// ReadOnly leaves the tables and the roles as they are: see Open.
	ReadOnly bool

	// Application is appended to the application_name of the connections, which the server shows.
	Application string

	steps []schema.Step // the migration steps; tests replace them
}

// A Server is the open database of all people. It is safe for concurrent use.
type Server struct {
	config     *pgx.ConnConfig // of connections that serve calls
	reads      *pgxpool.Pool
	writes     *writer
	testClock  func() time.Time // Options.Now
	localClock func() time.Time // the clock of this process
	clockAhead atomic.Int64     // how far localClock is ahead of the clock of the server, when last compared
	log        *slog.Logger
	sealer     store.Sealer
	steps      int             // how many migration steps this KOTA knows
	running    context.Context // ends when the server is closed
	stop       context.CancelFunc

	listener *listener
	idle     *idleWorker

	mu      sync.Mutex
	numbers map[string]int64 // of people, by name
	handles map[*DB]bool     // what Tenant returned and nobody has closed
}

// Open opens the database of the URL. It creates the tables, or brings them up to date, if the role
// of the URL may do that. See schema.Prepare and explainConnect for what it refuses. An error contains
// no password.
//
// With Options.ReadOnly, Open changes nothing. It returns schema.ErrNoTables for a database without KOTA's
// tables, and store.ErrOlder for older ones.
func Open(ctx context.Context, databaseURL string, opts Options) (*Server, error) {
	pool, err := parseURL(databaseURL)
	if err != nil {
		return nil, err
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if opts.steps == nil {
		if opts.steps, err = schema.Steps(); err != nil {
			return nil, err
		}
	}
	if severalHosts(&pool.ConnConfig.Config) && pool.ConnConfig.ValidateConnect == nil {
		pool.ConnConfig.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if opts.Application != "" {
		pool.ConnConfig.RuntimeParams["application_name"] += " " + opts.Application
	}
	found, err := prepare(ctx, pool.ConnConfig, opts)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if found.Role == "" {
		opts.Logger.Warn("KOTA works as the owner of its tables, because it may not create a role that owns nothing", "role", found.Login)
	}
	sessionParameters(&pool.ConnConfig.Config, found.Role)
	if found.CommitOff {
		pool.ConnConfig.RuntimeParams["synchronous_commit"] = "on"
	}
	s := &Server{config: pool.ConnConfig, testClock: opts.Now, localClock: time.Now, log: opts.Logger, sealer: opts.Sealer, steps: len(opts.steps), numbers: map[string]int64{}, handles: map[*DB]bool{}, idle: newIdleWorker()}
	s.running, s.stop = context.WithCancel(context.Background())
	s.listener = newListener(s)
	if err := s.openPool(ctx, pool, setsMaxConns(databaseURL)); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	ahead, err := s.clockDifference(ctx)
	if err != nil {
		s.reads.Close()
		return nil, fmt.Errorf("open the database: %w", err)
	}
	s.clockAhead.Store(int64(ahead))
	s.writes = newWriter(writerOptions{Connect: s.Connect, Lanes: writeLanes, Now: opts.Now, Log: opts.Logger, Ahead: &s.clockAhead})
	return s, nil
}

// prepare brings the tables up to date over a connection of its own.
func prepare(ctx context.Context, config *pgx.ConnConfig, opts Options) (schema.Database, error) {
	login := config.Copy()
	loginParameters(&login.Config)
	conn, err := connect(ctx, login)
	if err != nil {
		return schema.Database{}, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return schema.Prepare(ctx, conn, schema.Options{Steps: opts.steps, Version: opts.Version, Log: opts.Logger, ReadOnly: opts.ReadOnly})
}

// openPool opens the pool of the connections that read, and checks that row-level security holds.
func (s *Server) openPool(ctx context.Context, config *pgxpool.Config, sized bool) error {
	config.ConnConfig.StatementCacheCapacity = 512 // about 200 statements, some with a varying WHERE
	config.MinIdleConns = 1
	config.MaxConnLifetime = 30 * time.Minute
	config.MaxConnLifetimeJitter = 5 * time.Minute
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false } // retryRead replaces it
	config.HealthCheckPeriod = 15 * time.Second
	if !sized {
		config.MaxConns = maxConnections
	}
	s.config = config.ConnConfig
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := schema.CheckRowSecurity(ctx, conn); err != nil {
		return err
	}
	s.reads, err = pgxpool.NewWithConfig(ctx, config)
	return err
}

// setsMaxConns reports whether a database URL has the size of the pool.
func setsMaxConns(given string) bool {
	parsed, err := url.Parse(given)
	return err == nil && parsed.Query().Has("pool_max_conns")
}

// Connect opens a connection with the settings and the role of calls, outside of the pool.
func (s *Server) Connect(ctx context.Context) (*pgx.Conn, error) {
	return connect(ctx, s.config)
}

// Describe returns the host and the name of the database, without the user and the password.
func (s *Server) Describe() string { return describe(&s.config.Config) }

// Close lets hooks write pending data and closes the database.
func (s *Server) Close() error {
	s.closeHooks()
	s.idle.close()
	s.stop()
	s.idle.wait()
	err := s.writes.close()
	s.reads.Close()
	return err
}
