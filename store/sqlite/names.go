package sqlite

import (
	"context"
	"fmt"
)

// Names are the names of one kind in an account that were given after text of
// strangers had come into the conversation.
type Names struct {
	db                   *DB
	owner, account, kind string
}

// Names returns a handle on the names of a kind, such as "label". It costs
// nothing.
func (db *DB) Names(owner, account, kind string) *Names {
	return &Names{db: db, owner: owner, account: account, kind: kind}
}

// Note keeps the names, for good. What is noted already stays so.
func (n *Names) Note(ctx context.Context, names []string) error {
	err := n.db.write(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT OR IGNORE INTO foreign_names (owner, account, kind, name)
			SELECT ?, ?, ?, value FROM json_each(?)`, n.owner, n.account, n.kind, array(names))
		return err
	})
	if err != nil {
		return fmt.Errorf("note names: %w", err)
	}
	return nil
}

// Noted returns those that were noted.
func (n *Names) Noted(ctx context.Context) (map[string]bool, error) {
	noted, err := n.noted(ctx)
	if err != nil {
		return nil, fmt.Errorf("read noted names: %w", named(err))
	}
	return noted, nil
}

func (n *Names) noted(ctx context.Context) (map[string]bool, error) {
	rows, err := reading{ctx, n.db}.query("SELECT name FROM foreign_names WHERE owner = ? AND account = ? AND kind = ?", n.owner, n.account, n.kind)
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
