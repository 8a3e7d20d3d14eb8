// Package eventwrite changes events of Google Calendar, each change at most once. A request
// whose [Summary] names people goes through the outbox. The outbox records the request
// before it is sent, and its outcome afterwards. A repeat does only the part that is not
// done yet. If an answer is lost, eventwrite checks the event before it sends again. It
// never overwrites an event that somebody else changed. The caller asks the policy before
// it sends; only [Writer.Invite] asks the policy itself.
//
// Start with [Writer.Send] and [Request]. outcome.go finds out the outcome of a request.
package eventwrite

import (
	"context"
	"net/http"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/persist"
)

// Deps holds the dependencies of a Writer.
type Deps struct {
	Client   *http.Client // has KOTA's limits, retries and errors for Google
	API      *calendarapi.Service
	Endpoint string // base URL of Google's APIs; "" means Google's own
	Account  string // key of the account in the outbox
	Outbox   func(context.Context) (persist.OutboxStore, error)
	Now      func() time.Time

	// Hold is called before a request of the outbox is sent. The function that it returns
	// is called after the outcome is recorded. A program that is ending waits for that
	// call. If Hold is nil, the program does not wait.
	Hold func() (release func())
}

// A Writer changes the events of one account.
type Writer struct{ deps Deps }

// New returns the Writer of an account.
func New(deps Deps) *Writer { return &Writer{deps: deps} }

// Patch changes fields of the event with that id. If its etag differs, Patch changes
// nothing and returns a *ChangedError with the current version. The patch is a
// *calendarapi.Event or a map; its JSON is a merge patch (RFC 7396). Lists such as
// attendees are replaced whole. Conferences and attachments that the patch does not name
// stay.
//
// Patch returns Google's version of the event, or NOT_FOUND if the event is gone. After a
// lost answer it reads the event. If the etag is unchanged, it repeats the patch, which
// cannot apply twice. If the event matches the patch, the change was made. Otherwise the
// error is OUTCOME_UNKNOWN.
func (w *Writer) Patch(ctx context.Context, calendar, id, etag string, patch any, notify string) (*calendarapi.Event, error) {
	r, err := NewPatch(calendar, id, etag, patch, notify)
	if err != nil {
		return nil, err
	}
	done, err := w.execute(ctx, r)
	return done.Event, err
}

// Remove deletes the event with that id: a single event, a series with all its instances,
// or one instance. It reports whether the event was already gone, which is not an error.
// Etags and lost answers are handled as in Patch.
func (w *Writer) Remove(ctx context.Context, calendar, id, etag, notify string) (gone bool, err error) {
	done, err := w.execute(ctx, NewDelete(calendar, id, etag, notify))
	return done.Repeated, err
}

// Get reads the event with that id, in the zone of its calendar. A deleted event has the
// status "cancelled", or is NOT_FOUND.
func (w *Writer) Get(ctx context.Context, calendar, id string) (*calendarapi.Event, error) {
	return w.deps.API.Events.Get(calendar, id).Context(ctx).Do()
}
