package gmail_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/gmail"
	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailboxtest"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/store/enginetest"
)

const (
	ann = "ann@example.com"
	bob = "bob@example.org"
)

// zone is the user's time zone. It differs from UTC and from Gmail's.
var zone = time.FixedZone("CET", 60*60)

// noon is the time in every test, unless the test sets another.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, zone)

// A fixture is the bundle for Ann, with a fake Google and a real database.
type fixture struct {
	google        *googletest.Server
	bundle        bundles.Bundle
	deps          gmail.Deps
	ann           *googletest.User
	files         attachment.Folders
	accounts      []gmail.Account
	users         map[string]string // addresses by account, for accounts in people without an address
	now           time.Time
	db            func(context.Context) (enginetest.Database, error)
	labelID       string                                    // the label of a foreign change
	lockstep      *fakeapi.Lockstep                         // nil: requests leave immediately
	clientErr     error                                     // the error for each request of a client
	wrapTransport func(http.RoundTripper) http.RoundTripper // nil: requests leave unchanged
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	d := &fixture{now: noon, accounts: []gmail.Account{{Name: "home", Address: ann}}}
	d.google = googletest.New(t, googletest.Clock(func() time.Time { return d.now }))
	d.ann = d.google.User(ann)
	d.db = enginetest.Lazy(t, nil)
	d.deps = gmail.Deps{
		Accounts: func() ([]gmail.Account, error) { return d.accounts, nil },
		Client:   d.clients(t),
		Endpoint: d.google.URL,
		Stores:   mailboxtest.Stores(d.db),
		Files:    func() attachment.Folders { return d.files },
		Now:      func() time.Time { return d.now },
		Fence:    func() string { return fenceCode },
	}
	d.bundle = gmail.New(d.deps)
	return d
}

// fenceCode is the code of every fence in a test.
const fenceCode = "aaaaaa"

// withoutFence removes the fence from text, if text has one.
func withoutFence(text string) string {
	inside, ok := strings.CutPrefix(text, "~"+fenceCode+"\n")
	if !ok {
		return text
	}
	return strings.TrimSuffix(inside, "\n~"+fenceCode)
}

// newProcess returns the bundle of another process, which shares only the database.
func (d *fixture) newProcess() bundles.Bundle { return gmail.New(d.deps) }

// clients returns one client per account, like signing in.
func (d *fixture) clients(t *testing.T) func(context.Context, string) (*http.Client, error) {
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
					client := d.google.HTTPClient(cmp.Or(a.Address, d.users[name]))
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
