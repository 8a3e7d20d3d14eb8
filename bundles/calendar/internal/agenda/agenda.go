// Package agenda gives access to the calendars of the user's accounts. It opens an
// account, finds its calendars by name or id, finds out who else sees them, and selects
// those that a call reads. Cached facts about an account are at most some minutes old.
// The other internal packages of the bundle take an [Agenda]. Start with [Agendas.Open]
// and [Agenda.Find].
package agenda

import (
	"context"
	"net/http"
	"sync"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// Deps holds the dependencies of the calendars: see calendar.Deps.
type Deps struct {
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
	Deps
	mu     sync.Mutex
	opened map[string]*Agenda // keyed by account name
}

// New returns the calendars of the accounts. It uses no dependency before the first call.
func New(deps Deps) *Agendas { return &Agendas{Deps: deps, opened: map[string]*Agenda{}} }

// An Agenda holds the calendars of one account and a cache of facts about them. There is
// one per account. A new one replaces it after a new sign-in.
type Agenda struct {
	*Agendas
	Account    google.Account
	baseClient *http.Client // client that Deps.Client returned
	API        *calendarapi.Service
	*eventwrite.Writer
	cachedCalendars calendarCache
	cachedSharing   sharingCache
}

// Primary is the id that Google's API uses for an account's primary calendar.
const Primary = "primary"

// Open returns the agenda of the account with that name or address; "" means the default
// account. It returns SIGN_IN_REQUIRED if no account is signed in.
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
	if a := c.opened[account.Name]; a != nil && a.baseClient == base && a.Account == account {
		return a, nil
	}
	client := google.Client(base, google.Options{Account: account.Name, Endpoint: c.Endpoint()})
	api := google.NewCalendar(client, c.Endpoint())
	a := &Agenda{Agendas: c, Account: account, baseClient: base, API: api}
	a.Writer = eventwrite.New(eventwrite.Deps{Client: client, API: api, Endpoint: c.Endpoint(), Account: account.Key(), Outbox: c.Outbox, Now: c.Now, Hold: c.Hold})
	c.opened[account.Name] = a
	return a, nil
}

// BundleKey is the key of the bundle, also in its rows in the store.
const BundleKey = "calendar"

// Stores opens what the bundle needs from the store of the current tenant. Each tool call
// opens it again.
type Stores struct {
	Outbox func(context.Context) (persist.OutboxStore, error)
	Undos  func(context.Context) (persist.UndoStore, error)
	Names  func(context.Context) (persist.NameStore, error)
	Limits func(context.Context) (Limiter, error)
}

// A Limiter enforces rate limits.
type Limiter interface {
	Allow(ctx context.Context, kind string, n int, limits []store.Limit) error
	Refund(ctx context.Context, kind string) error
}

// Outbox returns the store that records requests before they are sent, so that each is
// carried out at most once.
func (c *Agendas) Outbox(ctx context.Context) (persist.OutboxStore, error) {
	box, err := c.Stores.Outbox(ctx)
	return box, persist.Explain(err)
}

// Undos returns the undo records of the bundle.
func (c *Agendas) Undos() persist.Undos { return UndosIn(c.Stores.Undos, c.Now) }

// UndosIn returns the undo records of the bundle in a store.
func UndosIn(undos func(context.Context) (persist.UndoStore, error), now func() time.Time) persist.Undos {
	return persist.Undos{Store: undos, Bundle: BundleKey, Tool: "calendar_undo", Source: untrusted.Event, Now: now}
}
