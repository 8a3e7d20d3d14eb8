package postgres

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"kota/store"
	"kota/store/postgres/schema"
	"kota/store/tables/secrets"
)

func TestOpeningForReadingChangesNothing(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	open := func() (*Server, error) {
		return Open(t.Context(), d.asSuperuser(), Options{Version: "test", ReadOnly: true})
	}
	if _, err := open(); !errors.Is(err, schema.ErrNoTables) || !errors.Is(err, store.ErrUnusable) {
		t.Fatalf("a new database: %v, want schema.ErrNoTables", err)
	}
	if got := d.value(t, "SELECT count(*) FROM pg_namespace WHERE nspname = 'kota'"); got != "0" {
		t.Error("the schema was created")
	}
	all, err := schema.Steps()
	if err != nil {
		t.Fatal(err)
	}
	mustOpen(t, d.asSuperuser())
	more := append(all[:len(all):len(all)], schema.Step{Name: "next", Script: "CREATE TABLE kota.next (owner bigint)", MinReader: 1})
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
	ann := mustTenant(t, s, "ann") // she may have a session and sign in
	if err := secrets.New(ann, "ann").Update(t.Context(), "account", "a", func(*secrets.Row) (*secrets.Row, error) {
		return &secrets.Row{Key: 1, Sealed: []byte{1}}, nil
	}); err != nil {
		t.Errorf("a secret of a new person: %v", err)
	}
	if other := mustTenant(t, mustOpen(t, d.asSuperuser()), "ann"); other.tenant != ann.tenant {
		t.Errorf("ann is %d for one process and %d for another", ann.tenant, other.tenant)
	}
}

// The numbers of people have gaps, and one question does not look at all of them.
func TestSecretsWithOtherKeysAreFound(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.asSuperuser())
	find := func(want ...int64) {
		t.Helper()
		if got, err := s.SecretOwners(t.Context(), 7); err != nil || !slices.Equal(got, want) {
			t.Errorf("it found %d, %v, want %d", got, err, want)
		}
	}
	find()
	want := []int64{}
	for _, at := range []int64{0, 998, 2500} {
		if at > 0 {
			d.exec(t, fmt.Sprintf("SELECT setval('kota.tenants_id_seq', %d)", at))
		}
		for key, kind := range map[int]string{0: "lock", 7: "account", 8: "account.bad", 9: "account"} {
			db := mustTenant(t, s, fmt.Sprint(at, kind, key))
			if err := secrets.New(db, "x").Update(t.Context(), kind, "a", func(*secrets.Row) (*secrets.Row, error) {
				return &secrets.Row{Key: key, Sealed: []byte{1}}, nil
			}); err != nil {
				t.Fatal(err)
			}
			if key == 9 {
				want = append(want, db.tenant)
			}
		}
	}
	find(want...)
}
