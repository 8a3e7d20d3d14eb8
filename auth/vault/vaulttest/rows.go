// Package vaulttest stores the rows of a vault in memory, for tests.
package vaulttest

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"kota/auth/vault"
)

// Rows are the rows of one tenant. The zero Rows are empty.
type Rows struct {
	Name string // what Tenant returns

	// Before is called before each access, with its name. Its error is that of the access. It may be nil.
	Before func(access string) error

	mu   sync.Mutex
	rows []vault.Row
}

var _ vault.Rows = (*Rows)(nil)

func (r *Rows) before(access string) error {
	if r.Before == nil {
		return nil
	}
	return r.Before(access)
}

// Tenant implements vault.Rows.
func (r *Rows) Tenant(context.Context) (string, error) { return r.Name, r.before("Tenant") }

// Get implements vault.Rows.
func (r *Rows) Get(_ context.Context, kind, name string) (*vault.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.find(kind, name), r.before("Get")
}

func (r *Rows) find(kind, name string) *vault.Row {
	for _, row := range r.rows {
		if row.Kind == kind && row.Name == name {
			return &row
		}
	}
	return nil
}

// List implements vault.Rows.
func (r *Rows) List(context.Context) ([]vault.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.rows), r.before("List")
}

// Update implements vault.Rows.
func (r *Rows) Update(_ context.Context, kind, name string, change func(*vault.Row) (*vault.Row, error)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.before("Update"); err != nil {
		return err
	}
	row := r.find(kind, name)
	next, err := change(row)
	if err != nil || next == row {
		return err
	}
	r.put(kind, name, next)
	return nil
}

// put stores a row under a name, or removes the row of that name if it is nil.
func (r *Rows) put(kind, name string, next *vault.Row) {
	r.rows = slices.DeleteFunc(r.rows, func(row vault.Row) bool { return row.Kind == kind && row.Name == name })
	if next != nil {
		r.rows = append(r.rows, vault.Row{Kind: kind, Name: name, Key: next.Key, Sealed: slices.Clone(next.Sealed), Updated: next.Updated})
		slices.SortFunc(r.rows, func(a, b vault.Row) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	}
}

// Put stores a row as an attacker could: under any kind and name. nil removes the row.
func (r *Rows) Put(kind, name string, row *vault.Row) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.put(kind, name, row)
}
