package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/postgres/convert"
	"kota/store/postgres/failure"
)

// maxName is the maximum length of the name of a person, in bytes. An index of PostgreSQL takes no
// more than 2,700 bytes.
const maxName = 1000

// ErrRemoved says that an administrator has removed the person.
var ErrRemoved = failure.New(store.ErrUnusable, "this person was removed from the database")

// Tenant returns a new handle on the part of the database that belongs to a person, and creates that
// part for a new person. Close the handle. Options.ReadOnly changes nothing about that: sessions and
// sign-ins are stored then, too. Tenant returns store.ErrInvalid for an empty name and one that is too
// long. It returns ErrRemoved for a person who was removed before the first call, and store.ErrMoved for
// a person whose data has moved to a file.
func (s *Server) Tenant(ctx context.Context, name string) (*DB, error) {
	db, err := s.Lookup(ctx, name)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handles[db] = true
	return db, nil
}

// Lookup is Tenant for a handle that gets no hooks, and so needs no Close.
func (s *Server) Lookup(ctx context.Context, name string) (*DB, error) {
	stored, err := StoredName(name)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	number, known := s.numbers[name]
	s.mu.Unlock()
	if known {
		return s.Numbered(number), nil
	}
	if number, err = s.findTenant(ctx, stored); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.numbers[name] = number
	return s.Numbered(number), nil
}

// StoredName returns the name of a person as the table tenants has it. It returns store.ErrInvalid for
// a name that nobody can have.
func StoredName(name string) (string, error) {
	stored := convert.EscapeText(name)
	switch {
	case strings.TrimSpace(name) == "":
		return "", failure.New(store.ErrInvalid, "the name of a person is empty")
	case len(stored) > maxName:
		return "", failure.New(store.ErrInvalid, "the name of a person has at most %d bytes, and this one has %d in the database", maxName, len(stored))
	}
	return stored, nil
}

// findTenant returns the number of a person.
func (s *Server) findTenant(ctx context.Context, stored string) (int64, error) {
	ctx, cancel := withCallLimit(ctx)
	defer cancel()
	number, moved := int64(0), ""
	err := s.retryRead(ctx, func() (err error) {
		number, moved, err = FindTenant(ctx, s.reads, stored)
		return err
	})
	if err == nil && moved != "" {
		err = movedError(moved)
	}
	if err != nil && !errors.Is(err, store.ErrUnusable) && !errors.Is(err, store.ErrMoved) {
		err = fmt.Errorf("look up a person: %w", err)
	}
	return number, err
}

// FindTenant returns the number of the person with a stored name, and the file to which the data of the
// person has moved, or "". It creates the person if necessary. It returns ErrRemoved for a person who was
// removed.
func FindTenant(ctx context.Context, from interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}, stored string) (number int64, moved string, err error) {
	found, file := (*int64)(nil), (*string)(nil)
	if err := from.QueryRow(ctx, "SELECT person, moved_to FROM kota_tenant($1)", stored).Scan(&found, &file); err != nil {
		return 0, "", err
	}
	if found == nil {
		return 0, "", ErrRemoved
	}
	return *found, *file, nil
}

// movedError returns store.ErrMoved for a person whose data has moved to a file.
func movedError(file string) error {
	return failure.New(store.ErrMoved, "%s: the file %s. Remove `database` from bundles.yaml, and KOTA_DATABASE_URL from the environment, to use it", store.ErrMoved, file)
}

// SecretOwners returns the numbers of the people with secrets that the key with that id does not encrypt.
// One statement looks at a thousand people, so that none takes too long.
func (s *Server) SecretOwners(ctx context.Context, key int) ([]int64, error) {
	numbers := []int64{}
	for first := 1; ; first += 1000 {
		found := (*[]int64)(nil)
		if err := s.readRow(ctx, fmt.Sprintf("SELECT kota_secret_owners(%d, %d)", key, first), &found); err != nil {
			return nil, fmt.Errorf("find secrets with other keys: %w", err)
		}
		if found == nil {
			return numbers, nil
		}
		numbers = append(numbers, *found...)
	}
}

// Numbered is Lookup for the person with that number. It is for work on the rows of all people.
func (s *Server) Numbered(number int64) *DB { return &DB{Server: s, tenant: number} }
