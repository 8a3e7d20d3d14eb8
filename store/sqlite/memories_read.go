package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"kota/store"
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

// A querier reads rows: as a write sees them, or as they are committed.
type querier interface {
	row(query string, args ...any) scanner // of a fixed set of queries, which stay prepared
	query(query string, args ...any) (*sql.Rows, error)
}

// A reader looks up what is committed. It waits for no writer.
type reader struct {
	ctx context.Context
	db  *DB
}

func (r reader) row(query string, args ...any) scanner {
	stmt, err := r.db.stmt(r.ctx, query)
	if err != nil {
		return broken{err}
	}
	return stmt.QueryRowContext(r.ctx, args...)
}

func (r reader) query(query string, args ...any) (*sql.Rows, error) {
	return r.db.readPool().QueryContext(r.ctx, query, args...)
}

// Get returns the memory with that key: spelled exactly so, or else the only
// one that Normal finds equal ("userName" for "user_name"). It returns a
// *NotFoundError when there is none, when it is deleted or expired, and when
// several other spellings are kept, which it names.
func (m *Memories) Get(ctx context.Context, key string) (*store.Memory, error) {
	found, err := m.seen(reader{ctx, m.db}, key, m.db.now())
	if err != nil {
		return nil, fmt.Errorf("get %q: %w", key, classify(err))
	}
	return found, nil
}
