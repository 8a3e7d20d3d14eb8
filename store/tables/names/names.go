// Package names stores which names of labels, filters and calendars come from
// untrusted content. Callers can thus distinguish them from names that the user chose.
package names

import (
	"context"
	"fmt"

	"kota/store/engine"
)

// Store holds the names that an owner's labels, filters and calendars got in conversations with
// untrusted content.
type Store struct {
	db    engine.DB
	owner any
}

// New returns a handle on an owner's names. It does not access the database.
func New(db engine.DB, owner string) *Store { return &Store{db: db, owner: db.Owner(owner)} }

var insertNames = engine.Stmt{
	SQLite:   "INSERT OR IGNORE INTO foreign_names (owner, account, kind, name) SELECT ?, ?, ?, value FROM json_each(?)",
	Postgres: "INSERT INTO foreign_names (owner, account, kind, name) SELECT ?, ?, ?, unnest(?::text[]) ON CONFLICT DO NOTHING",
}

// Record stores the names of objects in an account. kind is the kind of these objects, such as
// "label". Stored names are never removed.
func (n *Store) Record(ctx context.Context, account, kind string, names []string) error {
	err := n.db.Write(ctx, func(t engine.Tx) error {
		return t.Exec(insertNames.For(t), n.owner, account, kind, engine.List[string](names))
	})
	if err != nil {
		return fmt.Errorf("save names: %w", err)
	}
	return nil
}

// Recorded returns the stored names of objects of one kind in an account.
func (n *Store) Recorded(ctx context.Context, account, kind string) (map[string]bool, error) {
	found, err := n.recorded(ctx, account, kind)
	if err != nil {
		return nil, fmt.Errorf("read saved names: %w", err)
	}
	return found, nil
}

func (n *Store) recorded(ctx context.Context, account, kind string) (map[string]bool, error) {
	rows, err := n.db.Read(ctx).Query("SELECT name FROM foreign_names WHERE owner = ? AND account = ? AND kind = ?", n.owner, account, kind)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]bool{}
	for rows.Next() {
		name := ""
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		found[name] = true
	}
	return found, rows.Err()
}
