package eventwrite

import (
	"context"
	"net/http"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/metadata"
	"kota/store/sqlite"
)

// Needs is what a writer needs of the outside.
type Needs struct {
	Client   *http.Client // with KOTA's rules for talking to Google
	API      *calendarapi.Service
	Endpoint string // base URL of Google's APIs; "" means Google's own
	Account  string // the key of the account, under which the outbox keeps its requests
	Outbox   func(context.Context) (*sqlite.Outbox, error)
	Now      func() time.Time

	// Hold is called when a request is about to leave, and what it returns when its
	// outcome is written down. Nil: nobody waits for that.
	Hold func() (release func())
}

// A Writer changes the events of one account.
type Writer struct{ needs Needs }

func New(of Needs) *Writer { return &Writer{needs: of} }

// Patch changes fields of the event with that id, and nothing when its etag is
// another: the error is a *changedError then, with the event as it is now. The
// patch is what JSON makes a merge patch of (RFC 7396): an *event or a map.
// Lists such as attendees are replaced whole; conferences and attachments that
// it does not name stay.
//
// It returns the event as Google has it. An event that is gone answers
// NOT_FOUND. A lost answer is settled by looking: with the etag that was given
// the patch is repeated, which cannot apply twice; an event that has what was
// asked for is done. Else the error is OUTCOME_UNKNOWN.
func (w *Writer) Patch(ctx context.Context, calendar, id, etag string, patch any, notify string) (*calendarapi.Event, error) {
	r, err := NewPatch(calendar, id, etag, patch, notify)
	if err != nil {
		return nil, err
	}
	done, err := w.carry(ctx, r)
	return done.Event, err
}

// Remove deletes the event with that id: a series with all its instances, or
// one instance. It reports whether the event was gone before, which is no error.
// An event with another etag stays, as with patch. A lost answer is settled as
// patch does.
func (w *Writer) Remove(ctx context.Context, calendar, id, etag, notify string) (gone bool, err error) {
	done, err := w.carry(ctx, NewDelete(calendar, id, etag, notify))
	return done.Repeated, err
}

// Get reads the event with that id, in the zone of its calendar. A deleted one
// has the status "cancelled", or is NOT_FOUND.
func (w *Writer) Get(ctx context.Context, calendar, id string) (*calendarapi.Event, error) {
	return w.needs.API.Events.Get(calendar, id).Context(ctx).Do()
}

// A ChangedError says that an event was not changed, because it is not as it
// was when it was read. Its code is CONFLICT.
type ChangedError struct {
	Now   *calendarapi.Event // as it is; never a deleted one
	cause *metadata.Error
}

func (e *ChangedError) Error() string { return e.cause.Error() }

// Unwrap returns the CONFLICT.
func (e *ChangedError) Unwrap() error { return e.cause }

// ChangedMeanwhile is the CONFLICT of a change of an event that is as now by now.
func ChangedMeanwhile(now *calendarapi.Event) *ChangedError {
	return &ChangedError{Now: now, cause: metadata.Errorf(metadata.Conflict, "the event was changed meanwhile, and nothing was done").
		WithHint("Read it with calendar_get_event, then repeat the change with its etag.")}
}

func Deleted(id string) *metadata.Error {
	return metadata.Errorf(metadata.NotFound, "the event %q was deleted, or moved to another calendar", id).
		WithHint("calendar_list_events shows what there is; calendar_undo lists what can be put back.")
}
