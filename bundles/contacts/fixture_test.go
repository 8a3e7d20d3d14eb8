package contacts_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/contacts"
	"kota/bundles/internal/google"
	"kota/bundles/internal/google/googletest"
	"kota/metadata"
	"kota/store/enginetest"
	tables "kota/store/tables/contacts"
	"kota/store/tables/names"
	"kota/store/tables/undo"
)

const ann = "ann@example.com"

// noon is the time in every test, unless the test sets another.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A fixture is the bundle for Ann, with a fake Google and a real database.
type fixture struct {
	google    *googletest.Server
	bundle    bundles.Bundle
	deps      contacts.Deps
	ann       *googletest.User
	accounts  []google.Account
	missing   []string // scopes that the account has not granted
	now       time.Time
	clientErr error
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	d := &fixture{now: noon, accounts: []google.Account{{Name: "home", Address: ann}}}
	d.google = googletest.New(t, googletest.Clock(func() time.Time { return d.now }))
	d.google.SetTokenLifetime(365 * 24 * time.Hour) // tests wait for days
	d.ann = d.google.User(ann)
	db := enginetest.Lazy(t, func() time.Time { return d.now })
	d.deps = contacts.Deps{
		Accounts: func() ([]google.Account, error) { return d.accounts, nil },
		Client:   d.clients(t),
		Endpoint: d.google.URL,
		Copies: func(ctx context.Context, account string) (contacts.Copies, error) {
			return enginetest.Part(db, func(db enginetest.Database) contacts.Copies { return tables.New(db, "local", account) })(ctx)
		},
		Undos: enginetest.Part(db, func(db enginetest.Database) contacts.UndoStore { return undo.New(db, "local", "contacts") }),
		Names: enginetest.Part(db, func(db enginetest.Database) contacts.NameStore { return names.New(db, "local") }),
		Now:   func() time.Time { return d.now },
	}
	d.bundle = contacts.New(d.deps)
	return d
}

// anotherProcess returns the bundle as another process would open it: only the database is shared.
func (d *fixture) anotherProcess() bundles.Bundle { return contacts.New(d.deps) }

// clients returns a Deps.Client that makes one client per account and refuses missing scopes.
func (d *fixture) clients(t *testing.T) func(context.Context, string) (*http.Client, error) {
	var mu sync.Mutex
	known := map[string]*http.Client{}
	return func(ctx context.Context, name string) (*http.Client, error) {
		mu.Lock()
		defer mu.Unlock()
		if d.clientErr != nil {
			return nil, d.clientErr
		}
		for _, scope := range bundles.ScopesOf(ctx) {
			if slices.Contains(d.missing, scope[strings.LastIndex(scope, "/")+1:]) {
				return nil, metadata.Errorf(metadata.ScopeMissing, "not granted").WithHint("Sign in again.")
			}
		}
		for _, a := range d.accounts {
			if a.Name == name && known[name] == nil {
				known[name] = d.google.HTTPClient(a.Address)
				t.Cleanup(known[name].CloseIdleConnections)
			}
		}
		return known[name], nil
	}
}

// args are the arguments of a call.
type args = map[string]any

// list is a list of JSON values.
type list = []any

// named returns the fields of a person with a name, and with more fields.
func named(given, family string, more args) args {
	fields := args{"names": list{args{"givenName": given, "familyName": family}}}
	for name, value := range more {
		fields[name] = value
	}
	return fields
}

// values returns a field with values.
func values(texts ...string) list {
	all := list{}
	for _, text := range texts {
		all = append(all, args{"value": text})
	}
	return all
}
