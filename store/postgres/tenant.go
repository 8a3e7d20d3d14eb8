package postgres

import (
	"context"
	"fmt"
	"strings"

	"kota/store"
	"kota/store/postgres/convert"
)

// maxName is the maximum length of the name of a person, in bytes. An index of PostgreSQL takes no
// more than 2,700 bytes.
const maxName = 1000

// Tenant returns the part of the database that belongs to a person, and creates it for a new one.
// All calls for one name return the same DB. With Options.ReadOnly it creates nobody: the DB of a new
// person has no rows, and reports that it is Absent. Tenant returns store.ErrInvalid for an empty name and one
// that is too long. It returns store.ErrUnusable for a person who was removed before the first call.
func (s *Server) Tenant(ctx context.Context, name string) (*DB, error) {
	stored, err := StoredName(name)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	db := s.tenants[name]
	s.mu.Unlock()
	if db != nil {
		return db, nil
	}
	if s.only {
		number, exists, err := s.peekTenant(ctx, stored)
		if err != nil || !exists {
			return &DB{Server: s, name: name, tenant: number, absent: true}, err
		}
	}
	number, err := s.findTenant(ctx, stored)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tenants[name] == nil {
		s.tenants[name] = &DB{Server: s, name: name, tenant: number}
	}
	return s.tenants[name], nil
}

// peekTenant returns the number of a person and creates nobody. For a new person it returns a number
// that nobody has and nobody gets: a rolled back row does not give its number back. KOTA's role cannot
// read the list of people, so peekTenant creates the person twice and rolls back.
func (s *Server) peekTenant(ctx context.Context, stored string) (number int64, exists bool, err error) {
	numbers := [2]int64{}
	for i := range numbers {
		err := s.retryRead(ctx, func() error {
			tx, err := s.reads.Begin(ctx)
			if err != nil {
				return err
			}
			defer tx.Rollback(context.WithoutCancel(ctx))
			return tx.QueryRow(ctx, "SELECT coalesce(kota_tenant($1), 0)", stored).Scan(&numbers[i])
		})
		if err != nil {
			return 0, false, fmt.Errorf("look up a person: %w", err)
		}
	}
	return numbers[0], numbers[0] == numbers[1], nil
}

// StoredName returns the name of a person as the table tenants has it. It returns store.ErrInvalid for
// a name that nobody can have.
func StoredName(name string) (string, error) {
	stored := convert.EscapeText(name)
	switch {
	case strings.TrimSpace(name) == "":
		return "", refuse(store.ErrInvalid, "the name of a person is empty")
	case len(stored) > maxName:
		return "", refuse(store.ErrInvalid, "the name of a person has at most %d bytes, and this one has %d in the database", maxName, len(stored))
	}
	return stored, nil
}

// findTenant returns the number of a person.
func (s *Server) findTenant(ctx context.Context, stored string) (int64, error) {
	ctx, cancel := withCallLimit(ctx)
	defer cancel()
	number := (*int64)(nil)
	err := s.retryRead(ctx, func() error {
		return s.reads.QueryRow(ctx, "SELECT kota_tenant($1)", stored).Scan(&number)
	})
	if err != nil {
		return 0, fmt.Errorf("look up a person: %w", err)
	}
	if number == nil {
		return 0, refuse(store.ErrUnusable, "this person was removed from the database")
	}
	return *number, nil
}

// SecretOwners returns the numbers of the people who have secrets that another key encrypts than the
// one with that id.
func (s *Server) SecretOwners(ctx context.Context, key int) ([]int64, error) {
	numbers := []int64{}
	err := s.readRow(ctx, fmt.Sprintf("SELECT coalesce(array_agg(owner), '{}') FROM kota_secret_owners(%d) AS owner", key), &numbers)
	if err != nil {
		return nil, fmt.Errorf("find secrets with other keys: %w", err)
	}
	return numbers, nil
}

// Numbered returns the part of the database that belongs to the person with that number. It is for
// work on the rows of all people, and has hooks of its own.
func (s *Server) Numbered(number int64) *DB { return &DB{Server: s, tenant: number} }
