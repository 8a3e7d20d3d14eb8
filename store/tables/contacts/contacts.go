// Package contacts stores copies of address books. It is only a cache: after Store.Forget, KOTA can
// read everything again.
package contacts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

// Store holds the copies of one account. An account has several sources of people, such as its own
// contacts and the directory of its organisation.
type Store struct {
	db      engine.DB
	owner   any
	account string
}

// New returns a handle on the copies of an owner's account. It does not access the database.
func New(db engine.DB, owner, account string) *Store {
	return &Store{db: db, owner: db.Owner(owner), account: strings.ToLower(account)}
}

// Sync returns the state of the copy of a source.
func (s *Store) Sync(ctx context.Context, source string) (store.ContactSync, error) {
	sync, err := s.sync(s.db.Read(ctx), source)
	if err != nil {
		return store.ContactSync{}, fmt.Errorf("read the state of contacts: %w", err)
	}
	return sync, nil
}

func (s *Store) sync(from engine.Querier, source string) (store.ContactSync, error) {
	sync, at := store.ContactSync{}, int64(0)
	err := from.Row("SELECT token, version, synced FROM contacts_state WHERE owner = ? AND account = ? AND source = ?", s.owner, s.account, source).
		Scan(&sync.Token, &sync.Version, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return store.ContactSync{}, nil
	}
	sync.At = time.UnixMilli(at).UTC()
	return sync, err
}

// All returns the copy of a source, sorted by id. It contains at least what the copy had at its
// version.
func (s *Store) All(ctx context.Context, source string) ([]store.Contact, store.ContactSync, error) {
	sync, err := s.Sync(ctx, source)
	if err != nil || sync.Version == 0 {
		return nil, sync, err
	}
	all, err := s.all(ctx, source)
	if err != nil {
		return nil, store.ContactSync{}, fmt.Errorf("read contacts: %w", err)
	}
	return all, sync, nil
}

func (s *Store) all(ctx context.Context, source string) ([]store.Contact, error) {
	rows, err := s.db.Read(ctx).Query("SELECT id, card FROM contacts WHERE owner = ? AND account = ? AND source = ? ORDER BY id", s.owner, s.account, source)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []store.Contact{}
	for rows.Next() {
		c := store.Contact{}
		if err := rows.Scan(&c.ID, &c.Card); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, rows.Err()
}

// Update stores what a source answered, in one transaction. It does nothing if the copy has changed
// since the source was asked: another process then has stored an answer, or a change of the user.
func (s *Store) Update(ctx context.Context, source string, u store.ContactUpdate) error {
	err := s.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		known, err := s.sync(t, source)
		if err != nil || known.Version != u.From {
			return err
		}
		if u.Replace {
			if err := t.Exec("DELETE FROM contacts WHERE owner = ? AND account = ? AND source = ?", s.owner, s.account, source); err != nil {
				return err
			}
		}
		if err := s.change(t, source, u.Contacts, u.Removed); err != nil {
			return err
		}
		return s.setSync(t, source, store.ContactSync{Token: u.Token, Version: known.Version, At: t.Now()})
	})
	if err != nil {
		return fmt.Errorf("save contacts: %w", err)
	}
	return nil
}

// Put stores a change that KOTA made itself, because a source shows it only minutes later. It does
// nothing if there is no copy.
func (s *Store) Put(ctx context.Context, source string, changed []store.Contact, removed []string) error {
	err := s.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		known, err := s.sync(t, source)
		if err != nil || known.Version == 0 {
			return err
		}
		if err := s.change(t, source, changed, removed); err != nil {
			return err
		}
		return s.setSync(t, source, known)
	})
	if err != nil {
		return fmt.Errorf("save contacts: %w", err)
	}
	return nil
}

func (s *Store) change(t engine.Tx, source string, changed []store.Contact, removed []string) error {
	for _, id := range removed {
		if err := t.Exec("DELETE FROM contacts WHERE owner = ? AND account = ? AND source = ? AND id = ?", s.owner, s.account, source, id); err != nil {
			return err
		}
	}
	for _, c := range changed {
		err := t.Exec(`INSERT INTO contacts (owner, account, source, id, card) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (owner, account, source, id) DO UPDATE SET card = excluded.card`, s.owner, s.account, source, c.ID, c.Card)
		if err != nil {
			return err
		}
	}
	return nil
}

// setSync stores the state with the next version. A version is a time where it can, so that it also
// differs from those before Forget.
func (s *Store) setSync(t engine.Tx, source string, sync store.ContactSync) error {
	return t.Exec(`INSERT INTO contacts_state (owner, account, source, token, version, synced) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (owner, account, source) DO UPDATE SET token = excluded.token, version = excluded.version, synced = excluded.synced`,
		s.owner, s.account, source, sync.Token, max(sync.Version+1, t.Now().UnixMilli()), sync.At.UnixMilli())
}

// Forget removes all copies of the account.
func (s *Store) Forget(ctx context.Context) error {
	err := s.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		if err := t.Exec("DELETE FROM contacts WHERE owner = ? AND account = ?", s.owner, s.account); err != nil {
			return err
		}
		return t.Exec("DELETE FROM contacts_state WHERE owner = ? AND account = ?", s.owner, s.account)
	})
	if err != nil {
		return fmt.Errorf("delete the copy of contacts: %w", err)
	}
	return nil
}
