package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store"
)

// schemaName is the schema with all tables of KOTA. So a database may also have tables of others.
const schemaName = "kota"

//go:embed schema
var schemaFiles embed.FS

// createSchema runs before the first step, in its transaction.
const createSchema = `
	CREATE SCHEMA IF NOT EXISTS kota;
	CREATE TABLE kota.kota_schema (
		version    int PRIMARY KEY,
		min_reader int NOT NULL,
		kota       text NOT NULL,
		at         timestamptz NOT NULL DEFAULT now()
	)`

const (
	migrationLock = 0x4b4f5441 // the number of the advisory lock: "KOTA"
	lockPoll      = 50 * time.Millisecond
	lockTime      = 2 * time.Minute // how long Open waits for another process that migrates
	stepTime      = time.Minute     // how long a step tries to get its locks
)

// A step is a migration step. A released step never changes: add another step to correct it.
//
// Old replicas run while a step does, and afterwards. So a step only adds; a later one, with a
// higher minimum reader, removes what no supported version uses any more.
type step struct {
	name       string
	script     string
	minReader  int  // the lowest step that a KOTA must know to use the tables after this one
	concurrent bool // each statement runs by itself: CREATE INDEX CONCURRENTLY
}

// steps returns the migration steps from an empty database to the current tables, in order.
func steps() ([]step, error) {
	files, err := schemaFiles.ReadDir("schema") // sorted by name
	if err != nil {
		return nil, err
	}
	all := []step{}
	for _, file := range files {
		script, err := schemaFiles.ReadFile("schema/" + file.Name())
		if err != nil {
			return nil, err
		}
		s, err := parseStep(file.Name(), string(script))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// parseStep reads the comments with which a script begins: "-- minimum reader: 3", and perhaps
// "-- concurrent".
func parseStep(name, script string) (step, error) {
	s := step{name: name, script: script}
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "--") {
			break
		}
		if line == "-- concurrent" {
			s.concurrent = true
		}
		fmt.Sscanf(line, "-- minimum reader: %d", &s.minReader)
	}
	if s.minReader == 0 {
		return s, fmt.Errorf("%s does not begin with its minimum reader", name)
	}
	return s, nil
}

// A migration brings the tables and the app role up to date.
type migration struct {
	conn      *pgx.Conn
	steps     []step
	version   string // of the program
	log       *slog.Logger
	facts     *facts
	triedRole bool
}

// run brings the database up to date and returns the facts about it. One process at a time does
// that. Others poll the lock, because a process that waits for the lock would block
// CREATE INDEX CONCURRENTLY.
func (m *migration) run(ctx context.Context) (*facts, error) {
	deadline := time.Now().Add(lockTime)
	for {
		if err := m.inspect(ctx); err != nil || !m.needsWork() {
			return m.facts, err
		}
		locked := false
		if err := m.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", migrationLock).Scan(&locked); err != nil {
			return nil, classify(err)
		}
		if locked {
			return m.runLocked(ctx)
		}
		if time.Now().After(deadline) {
			return nil, refuse(store.ErrBusy, "another process has been changing KOTA's tables for %s: if none is, end its session in the database", lockTime)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// ErrNoTables says that a database that was opened only for reading has no tables of KOTA.
var ErrNoTables error = &failure{cause: store.ErrUnusable, text: "the database has no tables of KOTA yet, and a profile that only reads does not create them: start KOTA once with another profile"}

// checkUpToDate returns the facts about a database with the current tables, and changes nothing.
func (m *migration) checkUpToDate(ctx context.Context) (*facts, error) {
	err := m.inspect(ctx)
	switch {
	case err != nil:
		return nil, err
	case m.facts.applied == 0:
		return nil, ErrNoTables
	case m.facts.applied < len(m.steps):
		return nil, refuse(store.ErrOlder, "%s (it has schema %d, and this KOTA needs %d): start KOTA once with a profile that writes", store.ErrOlder, m.facts.applied, len(m.steps))
	}
	return m.facts, nil
}

func (m *migration) inspect(ctx context.Context) (err error) {
	m.facts, err = inspect(ctx, m.conn, len(m.steps))
	return err
}

func (m *migration) needsWork() bool {
	return m.facts.applied < len(m.steps) || m.facts.needsRole() && !m.triedRole || m.facts.needsGrants()
}

// runLocked does the work under the lock. The end of the connection would release the lock too.
func (m *migration) runLocked(ctx context.Context) (*facts, error) {
	defer m.conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrationLock)
	if err := m.inspect(ctx); err != nil { // another process may have been first
		return nil, err
	}
	if m.facts.applied < len(m.steps) && m.facts.schemaExists && !m.facts.actsAsOwner {
		return nil, refuse(store.ErrNoRights, "KOTA's tables in the database %q are from an older version, and only their owner can change them: start KOTA once with a database URL of the role %q", m.facts.database, m.facts.schemaOwner)
	}
	if err := m.createRole(ctx); err != nil {
		return nil, fmt.Errorf("create the role %s: %w", m.facts.appRole, err)
	}
	if err := m.actAsOwner(ctx); err != nil {
		return nil, err
	}
	for number := m.facts.applied + 1; number <= len(m.steps); number++ {
		s := m.steps[number-1]
		level := slog.LevelInfo
		if !m.facts.schemaExists {
			level = slog.LevelDebug // new tables concern nobody
		}
		m.log.Log(ctx, level, "changing the tables of the database", "step", s.name)
		if err := m.runStep(ctx, number, s); err != nil {
			return nil, fmt.Errorf("migrate with %s: %w", s.name, err)
		}
	}
	if err := m.inspect(ctx); err != nil {
		return nil, err
	}
	if m.facts.needsGrants() {
		if err := m.exec(ctx, m.grantsIfRole()); err != nil {
			return nil, fmt.Errorf("give rights to the role %s: %w", m.facts.appRole, err)
		}
	}
	err := m.inspect(ctx)
	return m.facts, err
}

// actAsOwner makes the owner of the schema the owner of what the steps create.
func (m *migration) actAsOwner(ctx context.Context) error {
	if !m.facts.schemaExists || !m.facts.actsAsOwner || m.facts.schemaOwner == m.facts.login {
		return nil
	}
	return m.exec(ctx, "SET ROLE "+quoteName(m.facts.schemaOwner))
}

// runStep runs a step. It tries again while another transaction has locks: a step that waits for
// a lock blocks all later readers.
func (m *migration) runStep(ctx context.Context, number int, s step) error {
	deadline := time.Now().Add(stepTime)
	for {
		run := m.runInTransaction
		if s.concurrent {
			run = m.runConcurrently
		}
		err := run(ctx, number, s)
		if !errors.Is(err, store.ErrBusy) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

func (m *migration) runInTransaction(ctx context.Context, number int, s step) error {
	tx, err := m.conn.Begin(ctx)
	if err != nil {
		return classify(err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	scripts := []string{"SET LOCAL lock_timeout = '300ms'", s.script, rowSecurityScript, m.grantsIfRole()}
	if number == 1 {
		scripts = slices.Insert(scripts, 1, createSchema)
	}
	for _, script := range scripts {
		if err := m.exec(ctx, script); err != nil {
			return err
		}
	}
	if err := m.record(ctx, number, s); err != nil {
		return err
	}
	return classify(tx.Commit(ctx))
}

// runConcurrently runs a step outside of a transaction. An interrupted CREATE INDEX CONCURRENTLY
// leaves an invalid index, which is removed first. The statements must be repeatable: IF NOT EXISTS.
func (m *migration) runConcurrently(ctx context.Context, number int, s step) error {
	rows, err := m.conn.Query(ctx, `
		SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE c.relnamespace = 'kota'::regnamespace AND NOT i.indisvalid`)
	if err != nil {
		return classify(err)
	}
	invalid, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return classify(err)
	}
	for _, index := range invalid {
		if err := m.exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS kota."+quoteName(index)); err != nil {
			return err
		}
	}
	for statement := range strings.SplitSeq(s.script, ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if err := m.exec(ctx, statement); err != nil {
			return err
		}
	}
	return m.record(ctx, number, s)
}

// record notes that a step was run.
func (m *migration) record(ctx context.Context, number int, s step) error {
	_, err := m.conn.Exec(ctx, "INSERT INTO kota.kota_schema (version, min_reader, kota) VALUES ($1, $2, $3)", number, s.minReader, m.version)
	return classify(err)
}

// exec runs a script of any number of statements.
func (m *migration) exec(ctx context.Context, script string) error {
	_, err := m.conn.PgConn().Exec(ctx, script).ReadAll()
	return classify(err)
}
