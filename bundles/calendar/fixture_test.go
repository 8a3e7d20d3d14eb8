package calendar_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
	"kota/store/enginetest"
)

const (
	ann = "ann@example.com"
	bob = "bob@example.org"
)

// zone is the user's zone. It is neither UTC nor likely the zone of this machine.
var zone = location("Europe/Amsterdam")

// noon is the current time in every test, unless the test sets another.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, zone)

func location(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // the tests use existing zones
	}
	return zone
}

// A fixture is the bundle for Ann, with a fake Google and a real database.
type fixture struct {
	google           *googletest.Server
	bundle           bundles.Bundle
	deps             calendar.Deps
	ann              *googletest.User
	accounts         []calendar.Account
	accountAddresses map[string]string // addresses by account name, for accounts without an address
	scopes           []string          // granted scopes; empty means all
	now              time.Time
	zone             atomic.Pointer[time.Location]             // the user's zone: that of the first account's primary calendar
	lockstep         *fakeapi.Lockstep                         // nil: requests are sent without waiting
	clientErr        error                                     // the error of Deps.Client
	invitationFiles  map[string]string                         // iCalendar files by mail id
	wrapTransport    func(http.RoundTripper) http.RoundTripper // nil: requests are sent unchanged
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	d := &fixture{now: noon, accounts: []calendar.Account{{Name: "home", Address: ann}}}
	d.google = googletest.New(t, googletest.Clock(func() time.Time { return d.now }))
	d.ann = d.google.User(ann)
	d.ann.SetZone(zone.String())
	d.zone.Store(zone)
	d.deps = calendar.Deps{
		Accounts: func() ([]calendar.Account, error) { return d.accounts, nil },
		Client:   d.clientsByAccount(t),
		Endpoint: d.google.URL,
		Stores:   calendar.StoresIn(enginetest.Lazy(t, func() time.Time { return d.now })),
		Now:      func() time.Time { return d.now },
		Zone:     func() *time.Location { return d.zone.Load() },
		PrimaryZone: func(account string, zone *time.Location) {
			if account == d.accounts[0].Name {
				d.zone.Store(zone)
			}
		},
		Invitation: func(_ context.Context, _, message string) ([]byte, error) {
			if d.invitationFiles[message] == "" {
				return nil, metadata.Errorf(metadata.NotFound, "there is no mail %s", message).WithHint("Look for it.")
			}
			return []byte(d.invitationFiles[message]), nil
		},
		Fence: func() string { return "aaaaaa" },
	}
	d.bundle = calendar.New(d.deps)
	return d
}

// anotherProcess returns the bundle as another process would open it: only the database
// is shared.
func (d *fixture) anotherProcess() bundles.Bundle { return calendar.New(d.deps) }

// clientsByAccount returns a Deps.Client that makes one client per account.
func (d *fixture) clientsByAccount(t *testing.T) func(context.Context, string) (*http.Client, error) {
	var mu sync.Mutex
	known := map[string]*http.Client{}
	return func(_ context.Context, name string) (*http.Client, error) {
		mu.Lock()
		defer mu.Unlock()
		if d.clientErr != nil {
			return nil, d.clientErr
		}
		if known[name] == nil {
			for _, a := range d.accounts {
				if a.Name == name {
					client := d.google.HTTPClient(cmp.Or(a.Address, d.accountAddresses[name]), d.scopes...)
					t.Cleanup(client.CloseIdleConnections)
					if d.lockstep != nil {
						d.lockstep.Next, client.Transport = client.Transport, d.lockstep
					}
					if d.wrapTransport != nil {
						client.Transport = d.wrapTransport(client.Transport)
					}
					known[name] = client
				}
			}
		}
		return known[name], nil
	}
}

// args are the arguments of a call.
type args = map[string]any

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
