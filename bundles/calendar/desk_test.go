package calendar_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
	"kota/store/sqlite"
)

const (
	ann = "ann@example.com"
	bob = "bob@example.org"
)

// zone is where the user is: neither UTC nor where this machine may be.
var zone = location("Europe/Amsterdam")

// noon is the time in every test, unless it says otherwise.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, zone)

func location(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // the tests' own zones exist
	}
	return zone
}

// A desk is the bundle at work for Ann, over a fake Google and a real
// database.
type desk struct {
	google  *googletest.Server
	bundle  bundles.Bundle
	deps    calendar.Deps
	ann     *googletest.User
	people  []calendar.Account
	users   map[string]string // addresses by account, where people have none
	scopes  []string          // that were granted; none are all
	now     time.Time
	zone    atomic.Pointer[time.Location]             // of the user: that of the primary calendar of the first account
	rounds  *fakeapi.Lockstep                         // nil: requests leave as they come
	refusal error                                     // of whoever asks for a client
	invites map[string]string                         // files of iCalendar, by the mail they came with
	over    func(http.RoundTripper) http.RoundTripper // nil: requests leave as they are
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{now: noon, people: []calendar.Account{{Name: "home", Address: ann}}}
	d.google = googletest.New(t, googletest.Clock(func() time.Time { return d.now }))
	d.ann = d.google.User(ann)
	d.ann.Zone(zone.String())
	d.zone.Store(zone)
	d.deps = calendar.Deps{
		Accounts: func() ([]calendar.Account, error) { return d.people, nil },
		Client:   d.clients(t),
		Endpoint: d.google.URL,
		Stores:   calendar.StoresIn(database(t, filepath.Join(t.TempDir(), "kota.db"), func() time.Time { return d.now })),
		Now:      func() time.Time { return d.now },
		Zone:     func() *time.Location { return d.zone.Load() },
		PrimaryZone: func(account string, zone *time.Location) {
			if account == d.people[0].Name {
				d.zone.Store(zone)
			}
		},
		Invitation: func(_ context.Context, _, message string) ([]byte, error) {
			if d.invites[message] == "" {
				return nil, metadata.Errorf(metadata.NotFound, "there is no mail %s", message).WithHint("Look for it.")
			}
			return []byte(d.invites[message]), nil
		},
		Fence: func() string { return "aaaaaa" },
	}
	d.bundle = calendar.New(d.deps)
	return d
}

// again is the bundle in another process: it shares the database alone.
func (d *desk) again() bundles.Bundle { return calendar.New(d.deps) }

// clients gives each account one client, as signing in does.
func (d *desk) clients(t *testing.T) func(context.Context, string) (*http.Client, error) {
	var mu sync.Mutex
	known := map[string]*http.Client{}
	return func(_ context.Context, name string) (*http.Client, error) {
		mu.Lock()
		defer mu.Unlock()
		if d.refusal != nil {
			return nil, d.refusal
		}
		if known[name] == nil {
			for _, a := range d.people {
				if a.Name == name {
					client := d.google.HTTPClient(cmp.Or(a.Address, d.users[name]), d.scopes...)
					t.Cleanup(client.CloseIdleConnections)
					if d.rounds != nil {
						d.rounds.Next, client.Transport = client.Transport, d.rounds
					}
					if d.over != nil {
						client.Transport = d.over(client.Transport)
					}
					known[name] = client
				}
			}
		}
		return known[name], nil
	}
}

// database opens one database for all who ask.
func database(t *testing.T, path string, now func() time.Time) func(context.Context) (*sqlite.DB, error) {
	open := sync.OnceValues(func() (*sqlite.DB, error) {
		db, err := sqlite.Open(context.Background(), path, sqlite.Options{Now: now})
		if err == nil {
			t.Cleanup(func() { db.Close() })
		}
		return db, err
	})
	return func(context.Context) (*sqlite.DB, error) { return open() }
}

// args are those of a call.
type args = map[string]any

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
