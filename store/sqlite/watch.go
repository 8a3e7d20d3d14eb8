package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// A Watch detects changes of the file by any process. It uses one of the few reading connections
// until Close.
type Watch struct{ conn *sql.Conn }

// Watch starts watching the file.
func (db *DB) Watch(ctx context.Context) (*Watch, error) {
	conn, err := db.readPool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("watch the database: %w", Classify(err))
	}
	return &Watch{conn}, nil
}

// Version returns a number that changes with each committed change (SQLite, PRAGMA data_version).
// It reads no table.
func (w *Watch) Version(ctx context.Context) (int64, error) {
	version := int64(0)
	if err := w.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version); err != nil {
		return 0, fmt.Errorf("watch the database: %w", Classify(err))
	}
	return version, nil
}

// Close stops watching.
func (w *Watch) Close() error { return w.conn.Close() }
