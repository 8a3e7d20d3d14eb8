// Package secrets stores the encrypted secrets of one owner in a database of a server. It never has
// a key: see package vault.
package secrets

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kota/store/engine"
)

// A Row is a stored secret.
type Row struct {
	Kind, Name string
	Key        int // the id of the master key; 0: not encrypted
	Sealed     []byte
	Updated    time.Time
}

// Store has the rows of one owner.
type Store struct {
	db    engine.DB
	owner any
}

// New returns a handle on an owner's secrets. It does not access the database.
func New(db engine.DB, owner string) *Store { return &Store{db: db, owner: db.Owner(owner)} }

const selectRow = "SELECT kind, name, key_id, sealed, updated FROM secrets WHERE owner = ?"

// Get returns a row, or nil if it does not exist.
func (s *Store) Get(ctx context.Context, kind, name string) (*Row, error) {
	row, err := s.get(s.db.Read(ctx), kind, name)
	if err != nil {
		return nil, fmt.Errorf("read a secret: %w", err)
	}
	return row, nil
}

func (s *Store) get(q engine.Querier, kind, name string) (*Row, error) {
	row, err := scan(q.Row(selectRow+" AND kind = ? AND name = ?", s.owner, kind, name))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return row, err
}

func scan(from engine.Scanner) (*Row, error) {
	row, updated := Row{}, sql.NullInt64{}
	err := from.Scan(&row.Kind, &row.Name, &row.Key, &row.Sealed, &updated)
	row.Updated = engine.TimeOf(updated)
	return &row, err
}

// List returns all rows, sorted by kind and name.
func (s *Store) List(ctx context.Context) ([]Row, error) {
	found, err := s.list(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the secrets: %w", err)
	}
	return found, nil
}

func (s *Store) list(ctx context.Context) ([]Row, error) {
	rows, err := s.db.Read(ctx).Query(selectRow+" ORDER BY kind, name", s.owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []Row{}
	for rows.Next() {
		row, err := scan(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, *row)
	}
	return found, rows.Err()
}

const putRow = `
	INSERT INTO secrets (owner, kind, name, key_id, sealed, updated) VALUES (?, ?, ?, ?, ?, ?)
	ON CONFLICT (owner, kind, name) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed, updated = excluded.updated`

// Update replaces a row by the result of change, while no other write of the owner runs. change gets
// nil if there is no row, and returns nil to remove it. If it returns its argument, nothing is
// written. change may run more than once.
func (s *Store) Update(ctx context.Context, kind, name string, change func(*Row) (*Row, error)) error {
	err := s.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		row, err := s.get(t, kind, name)
		if err != nil {
			return err
		}
		next, err := change(row)
		switch {
		case err != nil, next == row:
			return err
		case next == nil:
			return t.Exec("DELETE FROM secrets WHERE owner = ? AND kind = ? AND name = ?", s.owner, kind, name)
		}
		return t.Exec(putRow, s.owner, kind, name, next.Key, next.Sealed, engine.Millis(t.Now()))
	})
	if err != nil {
		return fmt.Errorf("store a secret: %w", err)
	}
	return nil
}
