// Package google is how KOTA talks to Google: one HTTP transport with the
// rules that Gmail and Calendar share, and their errors in KOTA's codes.
//
// A read (GET, HEAD, Calendar's freeBusy, a batch of GETs) is repeated when
// Google is busy or the answer got lost. A request that changes something is
// sent once, whatever happens: when its answer is missing or unreadable the
// error is OUTCOME_UNKNOWN, and UNAVAILABLE only when the request certainly
// never left. Every request keeps to Google's quota, to eight at a time with
// Gmail and sixteen with Calendar, and to a time and a size; authorization goes
// to Google alone.
package google

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// Options is what a client is made of. Its zero value talks to Google.
type Options struct {
	Account   string        // named in hints; "" is the default account
	Endpoint  string        // "" means Google's; else one at this machine or at *.googleapis.com
	UserAgent string        // "kota/1.2.0"; "" means "kota"
	Quota     Quota         // what Google grants per minute
	Timeout   time.Duration // of one exchange, an upload in progress aside; 0 means 30 s

	// Now and Sleep are the clock of quotas and retries, for tests. It must
	// run: the fixed clock of KOTA_NOW would never refill a quota.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// A Quota is what one user may spend per minute, in the units of each API.
// Zero means what Google grants to projects made since May 2026:
// https://developers.google.com/workspace/gmail/api/reference/quota,
// https://developers.google.com/workspace/calendar/api/guides/quota.
type Quota struct {
	Gmail    int // units, 6,000
	Calendar int // requests, 600
}

const (
	defaultTimeout       = 30 * time.Second
	defaultGmailQuota    = 6000
	defaultCalendarQuota = 600
)

// Client returns an HTTP client over base, which adds the account's
// authorization, with KOTA's rules for talking to Google. The error of every
// request that was not answered with 2xx holds a *metadata.Error, and a
// *Failure where Google or the network failed. Quota and the bound on requests
// in flight belong to the client: make one per account and keep it.
func Client(base *http.Client, o Options) *http.Client {
	below := base.Transport
	if below == nil {
		below = http.DefaultTransport
	}
	return transport{below: below, account: newAccount(o), limit: defaultLimit}.client()
}

// An account is what the requests in its name share.
type account struct {
	o        Options
	gmail    *window
	calendar *window
	flights  map[service]chan struct{} // a place per request in flight
	batches  chan struct{}             // a place per batch in flight
	noBatch  atomic.Bool               // the endpoint has no batches
	tooMany  atomic.Bool               // Google found a batch to ask for too much at once
}

// maxInFlight bounds the requests of one account to Gmail, maxBatches the
// batches among them: Gmail answers 429 "Too many concurrent requests for user"
// beyond some twenty reads at once. Calendar counts by the minute alone; what is
// asked of it at once is the events of every calendar that a user looks at.
const (
	maxInFlight         = 8
	maxBatches          = 2
	maxCalendarInFlight = 16
)

func newAccount(o Options) *account {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Quota.Gmail == 0 {
		o.Quota.Gmail = defaultGmailQuota
	}
	if o.Quota.Calendar == 0 {
		o.Quota.Calendar = defaultCalendarQuota
	}
	if o.UserAgent == "" {
		o.UserAgent = "kota"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &account{
		o:        o,
		gmail:    &window{limit: o.Quota.Gmail},
		calendar: &window{limit: o.Quota.Calendar},
		flights:  map[service]chan struct{}{gmailService: make(chan struct{}, maxInFlight), calendarService: make(chan struct{}, maxCalendarInFlight)},
		batches:  make(chan struct{}, maxBatches),
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// trusted reports whether authorization may go to the host of u.
func trusted(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return u.Scheme == "http" || u.Scheme == "https"
	}
	return u.Scheme == "https" && strings.HasSuffix(host, ".googleapis.com")
}

// GmailBase returns what option.WithEndpoint of the Gmail client wants.
func GmailBase(endpoint string) string { return base(endpoint, "https://gmail.googleapis.com") + "/" }

// CalendarBase returns what option.WithEndpoint of the Calendar client wants.
func CalendarBase(endpoint string) string {
	return base(endpoint, "https://www.googleapis.com") + "/calendar/v3/"
}

// GmailBatch returns the URL that Batch wants for Gmail.
func GmailBatch(endpoint string) string { return GmailBase(endpoint) + gmailBatchPath }

const (
	gmailBatchPath    = "batch/gmail/v1"
	calendarBatchPath = "batch/calendar/v3"
)

func base(endpoint, own string) string {
	if endpoint == "" {
		return own
	}
	return strings.TrimRight(endpoint, "/")
}

// serves reports whether a client for that endpoint may send requests to u. It
// is the last guard of the token: no mistake elsewhere can send it away.
func serves(endpoint string, u *url.URL) bool {
	if endpoint == "" {
		return u.Scheme == "https" && trusted(u)
	}
	own, err := url.Parse(endpoint)
	return err == nil && trusted(own) && sameHost(own, u)
}

func sameHost(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host)
}
