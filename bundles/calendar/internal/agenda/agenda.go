// Package agenda is the calendars of the user's accounts: it opens an account, finds
// its calendars by name or id, knows who else sees them, and selects those that a call
// reads. What it knows of an account is at most some minutes old. The engines of the
// bundle take an [Agenda]. Start with [Agendas.Open] and [Agenda.Find].
package agenda

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// Outside is what the calendars of accounts need of the outside: see calendar.Deps.
type Outside struct {
	Accounts    func() ([]google.Account, error)
	Client      func(ctx context.Context, account string) (*http.Client, error)
	Endpoint    func() string
	Stores      Stores
	Now         func() time.Time
	Zone        func() *time.Location
	PrimaryZone func(account string, zone *time.Location)
	Hold        func() (release func())
}

// Agendas are the calendars of all accounts.
type Agendas struct {
	Outside
	mu    sync.Mutex
	known map[string]*Agenda // by account name
}

// New returns the calendars of the accounts. Nothing of the outside is touched
// before the first use.
func New(of Outside) *Agendas { return &Agendas{Outside: of, known: map[string]*Agenda{}} }

// An Agenda is the calendars of one account, with what is known of them: made
// once for an account, and anew when somebody signs in again.
type Agenda struct {
	*Agendas
	Account google.Account
	base    *http.Client // as the outside gave it
	API     *calendarapi.Service
	*eventwrite.Writer
	known  calendarCache
	shared sharingCache
}

// Primary is how Google's API calls an account's main calendar.
const Primary = "primary"

// Open returns the agenda of the account of that name or address; "" means the
// default account. It answers SIGN_IN_REQUIRED when nobody is signed in.
func (c *Agendas) Open(ctx context.Context, name string) (*Agenda, error) {
	accounts, err := c.Accounts()
	if err != nil {
		return nil, err
	}
	account, err := google.FindAccount(accounts, name)
	if err != nil {
		return nil, err
	}
	base, err := c.Client(ctx, account.Name)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.known[account.Name]; a != nil && a.base == base && a.Account == account {
		return a, nil
	}
	client := google.Client(base, google.Options{Account: account.Name, Endpoint: c.Endpoint()})
	api, err := calendarapi.NewService(ctx, option.WithHTTPClient(client), option.WithEndpoint(google.CalendarBase(c.Endpoint())))
	if err != nil {
		return nil, fmt.Errorf("open calendars: %w", err)
	}
	a := &Agenda{Agendas: c, Account: account, base: base, API: api}
	a.Writer = eventwrite.New(eventwrite.Needs{Client: client, API: api, Endpoint: c.Endpoint(), Account: account.Key(), Outbox: c.Outbox, Now: c.Now, Hold: c.Hold})
	c.known[account.Name] = a
	return a, nil
}

// BundleKey is the key of the bundle, which its rows have as well.
const BundleKey = "calendar"

// Stores are what the bundle needs of the store, each of its tenant. They are asked
// for on each call.
type Stores struct {
	Outbox func(context.Context) (persist.OutboxStore, error)
	Undos  func(context.Context) (persist.UndoStore, error)
	Names  func(context.Context) (persist.NameStore, error)
	Limits func(context.Context) (Limiter, error)
}

// A Limiter counts what may happen so often in a stretch of time.
type Limiter interface {
	Allow(ctx context.Context, kind string, n int, limits []store.Limit) error
	Refund(ctx context.Context, kind string) error
}

// Outbox is where requests that reach people are written down before they leave.
func (c *Agendas) Outbox(ctx context.Context) (persist.OutboxStore, error) {
	box, err := c.Stores.Outbox(ctx)
	return box, persist.Explain(err)
}

// Undos is the book of the bundle's changes.
func (c *Agendas) Undos() persist.Undos { return UndoBook(c.Stores.Undos, c.Now) }

// UndoBook is the book of the bundle's changes in a store.
func UndoBook(undos func(context.Context) (persist.UndoStore, error), now func() time.Time) persist.Undos {
	return persist.Undos{Store: undos, Bundle: BundleKey, Tool: "calendar_undo", Source: untrusted.Event, Now: now}
}
