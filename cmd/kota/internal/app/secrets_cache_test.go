package app

import (
	"context"
	"testing"
	"time"

	"kota/auth/vault"
)

// rowsInMemory has one owner's rows and counts the trips.
type rowsInMemory struct {
	vault.Rows
	rows        []vault.Row
	lists, gets int
	listed      func() // called after the rows are read
}

func (r *rowsInMemory) List(context.Context) ([]vault.Row, error) {
	r.lists++
	list := append([]vault.Row{}, r.rows...)
	if r.listed != nil {
		r.listed()
	}
	return list, nil
}

func (r *rowsInMemory) Get(_ context.Context, kind, name string) (*vault.Row, error) {
	r.gets++
	for _, row := range r.rows {
		if row.Kind == kind && row.Name == name {
			return &row, nil
		}
	}
	return nil, nil
}

func (r *rowsInMemory) Update(_ context.Context, kind, name string, change func(*vault.Row) (*vault.Row, error)) error {
	next, err := change(nil)
	r.rows = []vault.Row{*next}
	return err
}

func TestSecretsAreCachedForASecond(t *testing.T) {
	now := time.Now()
	stored := &rowsInMemory{rows: []vault.Row{{Kind: "account", Name: "ann", Sealed: []byte("old")}, {Kind: vault.LockKind, Name: "ann"}}}
	c := &cachedSecrets{Rows: stored, now: func() time.Time { return now }}
	get := func(kind, name, want string) {
		t.Helper()
		row, err := c.Get(t.Context(), kind, name)
		if err != nil || (row == nil) != (want == "") || row != nil && string(row.Sealed) != want {
			t.Errorf("%s %s is %v, %v; want %q", kind, name, row, err, want)
		}
	}
	for range 10 {
		get("account", "ann", "old")
	}
	if stored.lists != 1 || stored.gets != 0 {
		t.Errorf("%d lists, %d gets", stored.lists, stored.gets)
	}
	stored.rows = []vault.Row{{Kind: "account", Name: "ann", Sealed: []byte("of another process")}, {Kind: "account", Name: "bob", Sealed: []byte("new")}, {Kind: vault.LockKind, Name: "ann", Sealed: []byte("held")}}
	get("account", "ann", "old")
	get("account", "bob", "new")
	get(vault.LockKind, "ann", "held")
	now = now.Add(secretsFor)
	get("account", "ann", "of another process")
	write := func(value string) {
		if err := c.Update(t.Context(), "account", "ann", func(*vault.Row) (*vault.Row, error) {
			return &vault.Row{Kind: "account", Name: "ann", Sealed: []byte(value)}, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	write("own")
	get("account", "ann", "own")
	now = now.Add(secretsFor)
	stored.listed = func() { stored.listed = nil; write("meanwhile") }
	get("account", "ann", "own") // it was read before
	get("account", "ann", "meanwhile")
	stored.rows = nil
	now = now.Add(secretsFor)
	get("account", "ann", "")
	stored.rows = []vault.Row{{Kind: "account", Name: "ann", Sealed: []byte("first")}}
	if list, err := c.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("after the first sign-in: %v %v", list, err)
	}
}
