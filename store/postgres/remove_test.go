package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/audit"
	"kota/store/tables/memory"
)

// The statement that docs/how-to/organisation.md gives an administrator.
func TestRemovedPersonLeavesNothing(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/how-to/organisation.md")
	if err != nil {
		t.Fatal(err)
	}
	_, statement, found := strings.Cut(string(page), "   ```sql\n   DO $$")
	statement, _, ended := strings.Cut(statement, "```")
	if !found || !ended {
		t.Fatal("the page has no statement")
	}
	d := newDatabase(t)
	s := mustOpen(t, d.role(t, "CREATEROLE", true))
	write := func(db engine.DB) error {
		trail := audit.NewTrail(store.AuditEntry{Owner: "x", Tool: "memory_set", Effect: "writes", Channel: "cli", Args: []byte(`{}`)})
		audit.New(db, func(context.Context) *audit.Trail { return trail })
		_, err := memory.New(db, "x").Set(t.Context(), store.Entry{Key: "tea", Value: []byte(`"green"`)})
		trail.End(store.OK)
		return err
	}
	ann, bob := mustTenant(t, s, "O'Hara"), mustTenant(t, s, "bob")
	for _, db := range []*DB{ann, bob} {
		if err := write(db); err != nil {
			t.Fatal(err)
		}
	}
	d.exec(t, "DO $$"+strings.ReplaceAll(statement, "'NAME'", "'O''Hara'"))
	for _, table := range []string{"memories", "audit", "heads", "docs"} {
		if got := d.value(t, fmt.Sprintf("SELECT count(*) FROM kota.%s WHERE owner = %d", table, ann.tenant)); got != "0" {
			t.Errorf("%s rows of %s are left", got, table)
		}
	}
	if err := write(ann); !errors.Is(err, ErrRemoved) {
		t.Errorf("a process that has the database open gets %v, want ErrRemoved", err)
	}
	if _, err := mustOpen(t, d.asSuperuser()).Tenant(t.Context(), "O'Hara"); !errors.Is(err, ErrRemoved) {
		t.Errorf("got %v, want ErrRemoved", err)
	}
	if err := write(bob); err != nil {
		t.Errorf("another person: %v", err)
	}
	d.exec(t, "UPDATE kota.tenants SET removed = NULL")
	if err := write(mustTenant(t, mustOpen(t, d.asSuperuser()), "O'Hara")); err != nil {
		t.Errorf("the person is back: %v", err)
	}
}
