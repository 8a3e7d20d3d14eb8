package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// A Watch tells whether anything in the file has changed, whoever changed it. It
// holds one of the few connections that read.
type Watch struct{ conn *sql.Conn }

// Watch begins to watch the file.
func (db *DB) Watch(ctx context.Context) (*Watch, error) {
	conn, err := db.reading.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("watch the database: %w", Classify(err))
	}
	return &Watch{conn}, nil
}

// Version returns a number that is another once somebody has committed a change
// (SQLite, PRAGMA data_version). It reads no page but the first of the log.
func (w *Watch) Version(ctx context.Context) (int64, error) {
	version := int64(0)
	if err := w.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version); err != nil {
		return 0, fmt.Errorf("watch the database: %w", Classify(err))
	}
	return version, nil
}

// Close ends the watching.
func (w *Watch) Close() error { return w.conn.Close() }
