package google

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"kota/bundles"
	"kota/metadata"
)

// transport carries out the requests of one account.
type transport struct {
	base http.RoundTripper // adds the authorization
	*account
	limit int64 // maximum size of an answer, in bytes
	batch int   // quota units of a batch, if all requests are batches; else 0
}

// call holds the properties of a request on which the rules depend.
type call struct {
	read    bool // it changes nothing, so it may be repeated
	batch   bool // its answer is multipart
	units   int  // quota units
	service service
	account string
	limit   int64     // maximum size of the answer, in bytes
	until   time.Time // deadline of the request with its repetitions
}

// service is a Google service, as the user knows it.
type service struct{ name, console string }

var (
	gmailService    = service{"Gmail", "gmail.googleapis.com"}
	calendarService = service{"Google Calendar", "calendar-json.googleapis.com"}
	peopleService   = service{"Google Contacts", "people.googleapis.com"}
)

// callTimeout is the time limit for a request with its repetitions: MCP clients give
// up after a minute.
const callTimeout = 55 * time.Second

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	if !isAllowedURL(t.o.Endpoint, req.URL) {
		return nil, metadata.Errorf(metadata.Internal, "the request was not sent, because its host must not receive the account's authorization")
	}
	c := t.classify(req)
	if !c.read && req.URL.Query().Get("uploadType") == "resumable" {
		// A resumable upload takes several requests, which the Go client
		// repeats itself.
		return nil, metadata.Errorf(metadata.Internal, "the request was not sent, because it is a resumable upload; turn that off with googleapi.ChunkSize(0)")
	}
	if reachesPeople(req) && !bundles.SendAllowed(req.Context()) {
		return nil, metadata.Errorf(metadata.Internal, "the request was not sent, because it reaches people and was not approved")
	}
	for attempt := 0; ; attempt++ {
		resp, err := t.sendOnce(req, c)
		if err == nil {
			bundles.Progress(req.Context(), c.service.name+" has answered")
			return resp, nil
		}
		pause, again := c.pause(err, attempt, t.timeLeft(req.Context(), c))
		if !again || req.Body != nil && req.GetBody == nil {
			return nil, err
		}
		bundles.Progress(req.Context(), "repeating the request to "+c.service.name)
		if t.o.Sleep(req.Context(), pause) != nil {
			return nil, c.cancelled(req.Context(), false)
		}
	}
}

// classify returns the call for a request.
func (t *transport) classify(req *http.Request) call {
	path := req.URL.EscapedPath()
	units, calendar := cost(req.Method, path)
	c := call{
		read:    req.Method == http.MethodGet || req.Method == http.MethodHead,
		units:   units,
		service: gmailService,
		account: t.o.Account,
		limit:   t.limit,
		until:   t.o.Now().Add(callTimeout),
	}
	if calendar || strings.HasSuffix(path, "/"+calendarBatchPath) {
		c.service = calendarService
	}
	if isPeoplePath(path) {
		c.service, c.units = peopleService, 1
	}
	if req.Method == http.MethodPost && strings.HasSuffix(path, "calendar/v3/freeBusy") {
		c.read = true // a query too long for a URL
	}
	if t.batch > 0 {
		c.read, c.batch, c.units = true, true, t.batch
	}
	return c
}

// sendOnce waits for quota and a slot, then carries the request out.
func (t *transport) sendOnce(req *http.Request, c call) (*http.Response, error) {
	ctx := req.Context()
	quota, slots := t.gmail, t.slots[c.service]
	switch c.service {
	case calendarService:
		quota = t.calendar
	case peopleService:
		quota = t.people
	}
	wait, ok := quota.reserve(t.o.Now(), c.units, t.timeLeft(ctx, c))
	if !ok {
		return nil, c.quotaExceeded(wait)
	}
	if wait > 0 && t.o.Sleep(ctx, wait) != nil {
		return nil, c.cancelled(ctx, false)
	}
	select {
	case <-ctx.Done():
		return nil, c.cancelled(ctx, false)
	case slots <- struct{}{}:
	}
	defer func() { <-slots }()
	return t.exchange(req, c)
}

// timeLeft returns the time that the call has left. The deadline of its context
// is compared with the real clock. The result is not negative, because a call
// whose time is up would otherwise seem to lack quota.
func (t *transport) timeLeft(ctx context.Context, c call) time.Duration {
	left := c.until.Sub(t.o.Now())
	if deadline, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(deadline))
	}
	return max(left, 0)
}

// checkRedirect permits at most three redirects in a row, all to the host of
// the first request.
func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > 3 || !sameHost(req.URL, via[0].URL) {
		return metadata.Errorf(metadata.Unavailable, "Google redirected the request too often or to another host")
	}
	return nil
}

// failureOf returns the Failure in err's chain, or nil.
func failureOf(err error) *Failure {
	f := (*Failure)(nil)
	errors.As(err, &f)
	return f
}

// defaultLimit is the maximum size of an answer in bytes: the text and metadata
// of a 25 MB message fit.
const defaultLimit = 8 << 20

// WithLimit returns a copy of a client from Client whose answers may have limit
// bytes instead of 8 MiB. A larger answer is TOO_LARGE for a read, and
// OUTCOME_UNKNOWN for a change.
func WithLimit(client *http.Client, limit int64) *http.Client {
	t := *client.Transport.(*transport)
	t.limit = limit
	return t.client()
}

func (t transport) client() *http.Client {
	return &http.Client{Transport: &t, CheckRedirect: checkRedirect}
}

func size(bytes int64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return metadata.CountOf(int(bytes), "byte")
}
