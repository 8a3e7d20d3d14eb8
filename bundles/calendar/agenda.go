package calendar

import (
	"context"
	"fmt"
	"net/http"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/google"
)

// An agenda is the calendars of one account, with what is known of them: made
// once for an account, and anew when somebody signs in again.
type agenda struct {
	*calendar
	account Account
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
func (c *calendar) open(ctx context.Context, name string) (*agenda, error) {
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
	if a := c.agendas[account.Name]; a != nil && a.base == base && a.account == account {
		return a, nil
	}
	client := google.Client(base, google.Options{Account: account.Name, Endpoint: c.Endpoint()})
	api, err := calendarapi.NewService(ctx, option.WithHTTPClient(client), option.WithEndpoint(google.CalendarBase(c.Endpoint())))
	if err != nil {
		return nil, fmt.Errorf("open calendars: %w", err)
	}
	a := &agenda{calendar: c, account: account, base: base, api: api}
	a.Writer = eventwrite.New(eventwrite.Needs{Client: client, API: api, Endpoint: c.Endpoint(), Account: account.Key(), Outbox: c.outbox, Now: c.Now, Hold: c.Hold})
	c.agendas[account.Name] = a
	return a, nil
}
