package postgres

import (
	"context"
	"fmt"
)

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
