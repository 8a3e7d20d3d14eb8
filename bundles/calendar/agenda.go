package calendar

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
	"kota/store/sqlite"
)

// outside is what the calendars of accounts need of the outside: see calendar.Deps.
type outside struct {
	Accounts    func() ([]google.Account, error)
	Client      func(ctx context.Context, account string) (*http.Client, error)
	Endpoint    func() string
	DB          func(context.Context) (*sqlite.DB, error)
	Now         func() time.Time
	Zone        func() *time.Location
	PrimaryZone func(account string, zone *time.Location)
	Hold        func() (release func())
}

// agendas are the calendars of all accounts.
type agendas struct {
	outside
	mu    sync.Mutex
	known map[string]*agenda // by account name
}

// newAgendas returns the calendars of the accounts. Nothing of the outside is touched
// before the first use.
func newAgendas(of outside) *agendas { return &agendas{outside: of, known: map[string]*agenda{}} }

// An agenda is the calendars of one account, with what is known of them: made
// once for an account, and anew when somebody signs in again.
type agenda struct {
	*agendas
	account google.Account
	base    *http.Client // as the outside gave it
	api     *calendarapi.Service
	*eventwrite.Writer
	known  calendarCache
	shared sharingCache
}

// primary is how Google's API calls an account's main calendar.
const primary = "primary"

// open returns the agenda of the account of that name or address; "" means the
// default account. It answers SIGN_IN_REQUIRED when nobody is signed in.
func (c *agendas) open(ctx context.Context, name string) (*agenda, error) {
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
	if a := c.known[account.Name]; a != nil && a.base == base && a.account == account {
		return a, nil
	}
	client := google.Client(base, google.Options{Account: account.Name, Endpoint: c.Endpoint()})
	api, err := calendarapi.NewService(ctx, option.WithHTTPClient(client), option.WithEndpoint(google.CalendarBase(c.Endpoint())))
	if err != nil {
		return nil, fmt.Errorf("open calendars: %w", err)
	}
	a := &agenda{agendas: c, account: account, base: base, api: api}
	a.Writer = eventwrite.New(eventwrite.Needs{Client: client, API: api, Endpoint: c.Endpoint(), Account: account.Key(), Outbox: c.outbox, Now: c.Now, Hold: c.Hold})
	c.known[account.Name] = a
	return a, nil
}
