package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// stmt returns the prepared form of a query on the connections that read. It
// is kept, so query must be one of a fixed set.
func (db *DB) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := db.prepared.Load(query); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := db.readPool().PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if first, ok := db.prepared.LoadOrStore(query, stmt); ok {
		stmt.Close()
		return first.(*sql.Stmt), nil
	}
	return stmt, nil
}

// Get returns the memory with that key: spelled exactly so, or else the one
// spelled most recently in another way that Normal finds equal ("userName"
// for "user_name"). It returns ErrNotFound when there is none, or it is
// deleted or expired.
func (m *Memories) Get(ctx context.Context, key string) (*Memory, error) {
	found, err := m.get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("get %q: %w", key, named(err))
	}
	return found, nil
}

const (
	isLive = " AND deleted IS NULL AND (expires IS NULL OR expires > ?)"
	byKey  = "SELECT " + columns + " FROM memories WHERE owner = ? AND norm = ? AND key = ?" + isLive
	// The plus keeps SQLite from walking the index of times instead of that of norms.
	byNorm = "SELECT " + columns + " FROM memories WHERE owner = ? AND norm = ?" + isLive + " ORDER BY +updated DESC, id DESC LIMIT 1"
)

func (m *Memories) get(ctx context.Context, key string) (*Memory, error) {
	now, norm := m.db.now().UnixMilli(), Normal(key)
	found, err := m.one(ctx, byKey, m.owner, norm, cleanKey(key), now)
	if !errors.Is(err, ErrNotFound) {
		return found, err
	}
	return m.one(ctx, byNorm, m.owner, norm, now)
}

func (m *Memories) one(ctx context.Context, query string, args ...any) (*Memory, error) {
	stmt, err := m.db.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	found, err := scanMemory(stmt.QueryRowContext(ctx, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	return found, err
}
