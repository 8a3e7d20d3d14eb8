package schema

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/postgres/failure"
)

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
	lockTime      = 2 * time.Minute // how long Prepare waits for another process that migrates
	stepTime      = time.Minute     // how long a step tries to get its locks
)

// A migration brings the tables and the app role up to date.
type migration struct {
	conn *pgx.Conn
	Options
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
			return nil, failure.Classify(err)
		}
		if locked {
			return m.runLocked(ctx)
		}
		if time.Now().After(deadline) {
			return nil, failure.New(store.ErrBusy, "another process has been changing KOTA's tables for %s: if none is, end its session in the database", lockTime)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// ErrNoTables says that a database that was opened only for reading has no tables of KOTA.
var ErrNoTables = failure.New(store.ErrUnusable, "the database has no tables of KOTA yet, and a profile that only reads does not create them: start KOTA once with another profile")

// checkUpToDate returns the facts about a database with the current tables, and changes nothing.
func (m *migration) checkUpToDate(ctx context.Context) (*facts, error) {
	err := m.inspect(ctx)
	switch {
	case err != nil:
		return nil, err
	case m.facts.applied == 0:
		return nil, ErrNoTables
	case m.facts.applied < len(m.Steps):
		return nil, failure.New(store.ErrOlder, "%s (it has schema %d, and this KOTA needs %d): start KOTA once with a profile that writes", store.ErrOlder, m.facts.applied, len(m.Steps))
	}
	return m.facts, nil
}

func (m *migration) inspect(ctx context.Context) (err error) {
	m.facts, err = inspect(ctx, m.conn, len(m.Steps))
	return err
}

func (m *migration) needsWork() bool {
	return m.facts.applied < len(m.Steps) || m.facts.needsRole() && !m.triedRole || m.facts.needsGrants()
}

// runLocked does the work under the lock. The end of the connection would release the lock too.
func (m *migration) runLocked(ctx context.Context) (*facts, error) {
	defer m.conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrationLock)
	if err := m.inspect(ctx); err != nil { // another process may have been first
		return nil, err
	}
	if m.facts.applied < len(m.Steps) && m.facts.schemaExists && !m.facts.actsAsOwner {
		return nil, failure.New(store.ErrNoRights, "KOTA's tables in the database %q are from an older version, and only their owner can change them: start KOTA once with a database URL of the role %q", m.facts.database, m.facts.schemaOwner)
	}
	if err := m.createRole(ctx); err != nil {
		return nil, fmt.Errorf("create the role %s: %w", m.facts.appRole, err)
	}
	if err := m.actAsOwner(ctx); err != nil {
		return nil, err
	}
	for number := m.facts.applied + 1; number <= len(m.Steps); number++ {
		s := m.Steps[number-1]
		level := slog.LevelInfo
		if !m.facts.schemaExists {
			level = slog.LevelDebug // new tables concern nobody
		}
		m.Log.Log(ctx, level, "changing the tables of the database", "step", s.Name)
		if err := m.runStep(ctx, number, s); err != nil {
			return nil, fmt.Errorf("migrate with %s: %w", s.Name, err)
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
	return m.exec(ctx, "SET ROLE "+Quote(m.facts.schemaOwner))
}

// runStep runs a step. It tries again while another transaction has locks: a step that waits for
// a lock blocks all later readers.
func (m *migration) runStep(ctx context.Context, number int, s Step) error {
	deadline := time.Now().Add(stepTime)
	for {
		run := m.runInTransaction
		if s.Concurrent {
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

func (m *migration) runInTransaction(ctx context.Context, number int, s Step) error {
	tx, err := m.conn.Begin(ctx)
	if err != nil {
		return failure.Classify(err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	scripts := []string{"SET LOCAL lock_timeout = '300ms'", s.Script, rowSecurityScript, m.grantsIfRole()}
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
	return failure.Classify(tx.Commit(ctx))
}

// runConcurrently runs a step outside of a transaction. An interrupted CREATE INDEX CONCURRENTLY
// leaves an invalid index, which is removed first. The statements must be repeatable: IF NOT EXISTS.
func (m *migration) runConcurrently(ctx context.Context, number int, s Step) error {
	rows, err := m.conn.Query(ctx, `
		SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE c.relnamespace = 'kota'::regnamespace AND NOT i.indisvalid`)
	if err != nil {
		return failure.Classify(err)
	}
	invalid, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return failure.Classify(err)
	}
	for _, index := range invalid {
		if err := m.exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS kota."+Quote(index)); err != nil {
			return err
		}
	}
	for statement := range strings.SplitSeq(s.Script, ";\n") {
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
func (m *migration) record(ctx context.Context, number int, s Step) error {
	_, err := m.conn.Exec(ctx, "INSERT INTO kota.kota_schema (version, min_reader, kota) VALUES ($1, $2, $3)", number, s.MinReader, m.Version)
	return failure.Classify(err)
}

// exec runs a script of any number of statements.
func (m *migration) exec(ctx context.Context, script string) error {
	_, err := m.conn.PgConn().Exec(ctx, script).ReadAll()
	return failure.Classify(err)
}
