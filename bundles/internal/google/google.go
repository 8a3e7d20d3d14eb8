// Package google sends KOTA's requests to Google: one HTTP transport with the
// rules that Gmail, Calendar and People share, and their errors as KOTA's codes.
//
// A read (GET, HEAD, Calendar's freeBusy, a batch of GETs) is repeated if
// Google is busy or the answer was lost. A request that changes something is
// sent only once. If its answer is missing, unreadable or a server fault, the
// error is OUTCOME_UNKNOWN, unless the request was certainly never sent.
//
// Every request obeys Google's quota and limits of time and size. An account
// has at most eight concurrent requests to Gmail and sixteen to Calendar.
// Authorization is sent only to Google, or to an endpoint on this machine.
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

// Options are the settings of a client. The zero value reaches Google.
type Options struct {
	Account   string        // named in hints; "" for the default account
	Endpoint  string        // a base URL on this machine or at *.googleapis.com; "" means Google's
	UserAgent string        // "kota/1.2.0"; "" means "kota"
	Quota     Quota         // Google's limits per minute
	Timeout   time.Duration // the time limit of one exchange, except for an upload in progress; 0 means 30 s

	// Now and Sleep are the clock for quotas and retries, for tests; nil means
	// the real clock. The clock must run: the fixed clock of KOTA_NOW would
	// never refill a quota.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// Quota is what one user may use per minute, in the units of each API. The
// defaults are what Google permits projects made since May 2026:
// https://developers.google.com/workspace/gmail/api/reference/quota,
// https://developers.google.com/workspace/calendar/api/guides/quota.
type Quota struct {
	Gmail    int // units; 0 means 6,000
	Calendar int // requests; 0 means 600
	People   int // requests; 0 means 60, because only the project's own page in Google's console shows the limit
}

const (
	defaultTimeout       = 30 * time.Second
	defaultGmailQuota    = 6000
	defaultCalendarQuota = 600
	defaultPeopleQuota   = 60
)

// Client returns an HTTP client over base with KOTA's rules for requests to
// Google. base adds the account's authorization. The error of every request
// without a 2xx or 304 answer holds a *metadata.Error, and a *Failure if Google
// or the network failed. Quota and the limit on concurrent requests belong to
// the client: make one per account and keep it.
func Client(base *http.Client, o Options) *http.Client {
	roundTripper := base.Transport
	if roundTripper == nil {
		roundTripper = http.DefaultTransport
	}
	return transport{base: roundTripper, account: newAccount(o), limit: defaultLimit}.client()
}

// account holds what the requests of one account share.
type account struct {
	o            Options
	gmail        *slidingWindow
	calendar     *slidingWindow
	people       *slidingWindow
	slots        map[service]chan struct{} // a slot per request in flight
	batchSlots   chan struct{}             // a slot per batch in flight
	noBatch      atomic.Bool               // the endpoint has no batches
	smallBatches atomic.Bool               // Google has limited a batch's rate: use smaller ones
}

// maxConcurrent limits the concurrent requests of one account to Gmail, and
// maxConcurrentBatches the batches among them. Gmail answers 429 "Too many
// concurrent requests for user" beyond about twenty concurrent reads. Calendar
// counts only per minute; its concurrent requests are for the events of every
// calendar that a user shows.
const (
	maxConcurrent         = 8
	maxConcurrentBatches  = 2
	maxCalendarConcurrent = 16
	maxPeopleConcurrent   = 4
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
	if o.Quota.People == 0 {
		o.Quota.People = defaultPeopleQuota
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
		gmail:    &slidingWindow{limit: o.Quota.Gmail},
		calendar: &slidingWindow{limit: o.Quota.Calendar},
		people:   &slidingWindow{limit: o.Quota.People},
		slots: map[service]chan struct{}{
			gmailService: make(chan struct{}, maxConcurrent), calendarService: make(chan struct{}, maxCalendarConcurrent),
			peopleService: make(chan struct{}, maxPeopleConcurrent),
		},
		batchSlots: make(chan struct{}, maxConcurrentBatches),
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

// isTrustedHost reports whether authorization may go to the host of u.
func isTrustedHost(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return u.Scheme == "http" || u.Scheme == "https"
	}
	return u.Scheme == "https" && strings.HasSuffix(host, ".googleapis.com")
}

// GmailBase returns the argument for option.WithEndpoint of the Gmail client.
func GmailBase(endpoint string) string { return base(endpoint, "https://gmail.googleapis.com") + "/" }

// CalendarBase returns the argument for option.WithEndpoint of the Calendar
// client.
func CalendarBase(endpoint string) string {
	return base(endpoint, "https://www.googleapis.com") + "/calendar/v3/"
}

// PeopleBase returns the argument for option.WithEndpoint of the People client.
func PeopleBase(endpoint string) string { return base(endpoint, "https://people.googleapis.com") + "/" }

// GmailBatch returns Gmail's URL for Batch.
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

// isAllowedURL reports whether a client for that endpoint may send requests to u. It
// is the last check for the token: no mistake elsewhere can send the token to
// another host.
func isAllowedURL(endpoint string, u *url.URL) bool {
	if endpoint == "" {
		return u.Scheme == "https" && isTrustedHost(u)
	}
	own, err := url.Parse(endpoint)
	return err == nil && isTrustedHost(own) && sameHost(own, u)
}

func sameHost(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host)
}
