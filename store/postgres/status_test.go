package postgres

import (
	"context"
	"slices"
	"testing"

	"kota/store/engine"
)

func TestStatusSaysWhatKOTAWorksWith(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.role(t, "CREATEROLE", true))
	got, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Version == "" || got.Role == got.Login || got.LoginBypasses || got.TLS || got.Steps != got.KnownSteps || got.Steps == 0 || len(got.Unprotected) > 0 {
		t.Errorf("got %+v", got)
	}
	admins, err := mustOpen(t, d.asSuperuser()).Status(t.Context())
	if err != nil || !admins.LoginBypasses || admins.Role != got.Role || len(admins.Unprotected) > 0 {
		t.Errorf("with a superuser: %+v, %v", admins, err)
	}
	d.exec(t, "ALTER TABLE kota.mail NO FORCE ROW LEVEL SECURITY")
	if got, err = s.Status(t.Context()); err != nil || !slices.Equal(got.Unprotected, []string{"mail"}) {
		t.Errorf("got %v: %v", got.Unprotected, err)
	}
}

// Close of one person's DB flushes its hooks once, and the next DB of that person has new ones.
func TestAClosedDBIsReplaced(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.role(t, "CREATEROLE", true))
	closed := 0
	extend := func(db *DB) {
		engine.Extension(db, func() (*int, engine.Hook) {
			return new(int), engine.Hook{Close: func(context.Context) { closed++ }}
		})
	}
	first := mustTenant(t, s, "ann")
	extend(first)
	if err := first.Close(); err != nil || closed != 1 {
		t.Errorf("closed %d times: %v", closed, err)
	}
	second := mustTenant(t, s, "ann")
	if second == first || second.tenant != first.tenant || len(second.Hooks()) != 0 {
		t.Error("the closed DB is used again")
	}
	extend(second)
	if err := s.Close(); err != nil || closed != 2 {
		t.Errorf("closed %d times: %v", closed, err)
	}
}
