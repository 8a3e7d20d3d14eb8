package secrets_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"kota/store/postgres"
	"kota/store/postgres/pgtest"
	"kota/store/tables/secrets"
)

var errTest = errors.New("a fault of the test's")

// newStores returns the secrets of ann and bob at one process, and those of ann at another.
func newStores(t *testing.T) (ann, bob, annElsewhere *secrets.Store) {
	t.Helper()
	cluster := pgtest.Start(t)
	url := cluster.URL("", cluster.Database(t))
	at := func(server *postgres.Server, name string) *secrets.Store {
		db, err := server.Tenant(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return secrets.New(db, name)
	}
	servers := [2]*postgres.Server{}
	for i := range servers {
		server, err := postgres.Open(t.Context(), url, postgres.Options{Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { server.Close() })
		servers[i] = server
	}
	return at(servers[0], "ann"), at(servers[0], "bob"), at(servers[1], "ann")
}

// set stores a row.
func set(t *testing.T, s *secrets.Store, kind, name, sealed string) {
	t.Helper()
	if err := s.Update(t.Context(), kind, name, func(*secrets.Row) (*secrets.Row, error) {
		return &secrets.Row{Key: 1<<31 - 1, Sealed: []byte(sealed)}, nil
	}); err != nil {
		t.Fatal(err)
	}
}

// get returns the content of a row, or "none".
func get(t *testing.T, s *secrets.Store, kind, name string) string {
	t.Helper()
	row, err := s.Get(t.Context(), kind, name)
	switch {
	case err != nil:
		t.Fatal(err)
	case row == nil:
		return "none"
	case row.Kind != kind || row.Name != name || row.Updated.IsZero():
		t.Errorf("%s %s is %+v", kind, name, row)
	}
	return string(row.Sealed)
}

func TestRowsOfAnotherPersonDoNotExist(t *testing.T) {
	ann, bob, elsewhere := newStores(t)
	set(t, ann, "account", "a", "of ann")
	set(t, bob, "account", "b", "of bob")
	if got := get(t, bob, "account", "a") + get(t, ann, "account", "b"); got != "nonenone" {
		t.Errorf("they see %s", got)
	}
	if err := bob.Update(t.Context(), "account", "a", func(row *secrets.Row) (*secrets.Row, error) {
		if row != nil {
			t.Errorf("bob may change %+v", row)
		}
		return nil, nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := get(t, elsewhere, "account", "a"); got != "of ann" {
		t.Errorf("ann has %s at another process", got)
	}
	if list, err := bob.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("bob has %+v, %v", list, err)
	}
}

// A change that fails, and one that changes nothing, leave the row with its time.
func TestFailedChangeLeavesRow(t *testing.T) {
	ann, _, _ := newStores(t)
	set(t, ann, "account", "a", "x")
	before, _ := ann.Get(t.Context(), "account", "a")
	for _, change := range []func(*secrets.Row) (*secrets.Row, error){
		func(row *secrets.Row) (*secrets.Row, error) { return nil, errTest },
		func(row *secrets.Row) (*secrets.Row, error) { return &secrets.Row{Sealed: []byte("y")}, errTest },
		func(row *secrets.Row) (*secrets.Row, error) { return row, nil },
	} {
		if err := ann.Update(t.Context(), "account", "a", change); err != nil && !errors.Is(err, errTest) {
			t.Error(err)
		}
		if after, err := ann.Get(t.Context(), "account", "a"); err != nil || fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("the row is %v, %v; want %v", after, err, before)
		}
	}
	if err := ann.Update(t.Context(), "account", "a", func(*secrets.Row) (*secrets.Row, error) { return nil, nil }); err != nil || get(t, ann, "account", "a") != "none" {
		t.Errorf("it was not removed: %v", err)
	}
}

// Two processes count in one row. No step is lost.
func TestUpdatesOfTwoProcessesWait(t *testing.T) {
	ann, _, elsewhere := newStores(t)
	set(t, ann, "counter", "", "0")
	all := sync.WaitGroup{}
	for _, s := range []*secrets.Store{ann, elsewhere} {
		all.Go(func() {
			for range 20 {
				if err := s.Update(t.Context(), "counter", "", func(row *secrets.Row) (*secrets.Row, error) {
					n, err := strconv.Atoi(string(row.Sealed))
					return &secrets.Row{Sealed: []byte(strconv.Itoa(n + 1))}, err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := get(t, ann, "counter", ""); got != "40" {
		t.Errorf("they counted to %s", got)
	}
}

func TestEveryNameAndContentComesBack(t *testing.T) {
	ann, _, elsewhere := newStores(t)
	texts := []string{"", "a", "A", "a ", "a\x00b", "\xff\x00", "\uf8ff0", "'; DROP TABLE secrets; --", "%", "日本"}
	for _, text := range texts {
		set(t, ann, "account", text, text)
	}
	list, err := elsewhere.List(t.Context())
	if err != nil || len(list) != len(texts) {
		t.Fatalf("%d rows, %v", len(list), err)
	}
	for _, row := range list {
		if !slices.Contains(texts, row.Name) || string(row.Sealed) != row.Name || row.Key != 1<<31-1 {
			t.Errorf("%+v", row)
		}
	}
}
