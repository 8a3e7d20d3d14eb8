package postgres

import (
	"context"
	"errors"
	"testing"

	"kota/store"
)

func TestOpeningForReadingChangesNothing(t *testing.T) {
	d := newDatabase(t)
	open := func() (*Server, error) {
		return Open(t.Context(), d.asSuperuser(), Options{Version: "test", ReadOnly: true})
	}
	if _, err := open(); !errors.Is(err, ErrNoTables) || !errors.Is(err, store.ErrUnusable) {
		t.Fatalf("a new database: %v, want ErrNoTables", err)
	}
	if got := d.value(t, "SELECT count(*) FROM pg_namespace WHERE nspname = 'kota'"); got != "0" {
		t.Error("the schema was created")
	}
	all, err := steps()
	if err != nil {
		t.Fatal(err)
	}
	mustOpen(t, d.asSuperuser())
	more := append(all[:len(all):len(all)], step{name: "next", script: "CREATE TABLE kota.next (owner bigint)", minReader: 1})
	if _, err := Open(t.Context(), d.asSuperuser(), Options{ReadOnly: true, steps: more}); !errors.Is(err, store.ErrOlder) {
		t.Errorf("older tables: %v, want ErrOlder", err)
	}
	if got := d.value(t, "SELECT count(*) FROM kota.kota_schema"); got == "0" || got != d.value(t, "SELECT max(version) FROM kota.kota_schema") {
		t.Errorf("%s steps", got)
	}

	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	absent := mustTenant(t, s, "ann")
	if !absent.Absent() || d.value(t, "SELECT count(*) FROM kota.tenants") != "0" {
		t.Errorf("absent: %t, and there are people", absent.Absent())
	}
	writing := mustOpen(t, d.asSuperuser())
	ann := mustTenant(t, writing, "ann")
	if found := mustTenant(t, s, "ann"); found.Absent() || found.tenant != ann.tenant || found.tenant == absent.tenant {
		t.Errorf("ann is %d, absent: %t; want %d; absent she was %d", found.tenant, found.Absent(), ann.tenant, absent.tenant)
	}
}

func TestOtherSessionsAreCounted(t *testing.T) {
	d := newDatabase(t)
	url := d.role(t, "CREATEROLE", true)
	own, err := Open(t.Context(), url, Options{Version: "test", Application: "migrate"})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if n, err := own.OtherSessions(t.Context()); n != 0 || err != nil {
		t.Errorf("alone: %d, %v", n, err)
	}
	other, err := mustOpen(t, url).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(context.Background())
	if n, err := own.OtherSessions(t.Context()); n == 0 || err != nil {
		t.Errorf("with another process: %d, %v", n, err)
	}
}
