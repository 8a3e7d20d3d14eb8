// Package names keeps in SQLite the names that strangers chose for labels, filters
// and calendars, so that they are told from the user's own.
package names

import (
	"context"
	"fmt"

	"kota/store/sqlite"
)

// Store are the names, of one owner's things outside of KOTA, that were given after
// untrusted content had come into the conversation.
type Store struct {
	db    *sqlite.DB
	owner string
}

// New returns a handle on an owner's names. It costs nothing.
func New(db *sqlite.DB, owner string) *Store { return &Store{db: db, owner: owner} }

// Note keeps the names of things of a kind, such as "label", in an account for
// good. What is noted already stays so.
func (n *Store) Note(ctx context.Context, account, kind string, names []string) error {
	err := n.db.Write(ctx, func(t *sqlite.Tx) error {
		_, err := t.Exec(`INSERT OR IGNORE INTO foreign_names (owner, account, kind, name)
			SELECT ?, ?, ?, value FROM json_each(?)`, n.owner, account, kind, sqlite.JSONArray(names))
		return err
	})
	if err != nil {
		return fmt.Errorf("note names: %w", err)
	}
	return nil
}

// Noted returns those of a kind in an account that were noted.
func (n *Store) Noted(ctx context.Context, account, kind string) (map[string]bool, error) {
	noted, err := n.noted(ctx, account, kind)
	if err != nil {
		return nil, fmt.Errorf("read noted names: %w", sqlite.Classify(err))
	}
	return noted, nil
}

func (n *Store) noted(ctx context.Context, account, kind string) (map[string]bool, error) {
	rows, err := n.db.Read(ctx).Query("SELECT name FROM foreign_names WHERE owner = ? AND account = ? AND kind = ?", n.owner, account, kind)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	noted := map[string]bool{}
	for rows.Next() {
		name := ""
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		noted[name] = true
	}
	return noted, rows.Err()
}
