// Package eventwrite changes events of Google Calendar, each change at most once. A
// request that reaches people goes through the outbox: it is written down before it
// leaves and its outcome after it, and a repeat does only what is left of it. A lost
// answer is settled by a look at the event, never by sending blindly. An event that
// somebody else changed is not overwritten. Whether something may be sent is asked
// by the caller, or by the function given to [Writer.Invite].
//
// Start with [Writer.Reach] and [Request]; settle.go has the states of a request.
package eventwrite

import (
	"context"
	"net/http"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/persist"
)

// Needs is what a Writer needs of the outside.
type Needs struct {
	Client   *http.Client // with KOTA's rules for talking to Google
	API      *calendarapi.Service
	Endpoint string // base URL of Google's APIs; "" means Google's own
	Account  string // the key of the account, under which the outbox keeps its requests
	Outbox   func(context.Context) (persist.OutboxStore, error)
	Now      func() time.Time

	// Hold is called when a request is about to leave, and what it returns when its
	// outcome is written down. Nil: nobody waits for that.
	Hold func() (release func())
}

// A Writer changes the events of one account.
type Writer struct{ needs Needs }

// New returns the Writer of an account.
func New(of Needs) *Writer { return &Writer{needs: of} }

// Patch changes fields of the event with that id, and nothing when its etag is
// another: the error is a *ChangedError then, with the event as it is now. The
// patch is what JSON makes a merge patch of (RFC 7396): a *calendarapi.Event or a map.
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
// An event with another etag stays, as with Patch. A lost answer is settled as
// Patch does.
func (w *Writer) Remove(ctx context.Context, calendar, id, etag, notify string) (gone bool, err error) {
	done, err := w.carry(ctx, NewDelete(calendar, id, etag, notify))
	return done.Repeated, err
}

// Get reads the event with that id, in the zone of its calendar. A deleted one
// has the status "cancelled", or is NOT_FOUND.
func (w *Writer) Get(ctx context.Context, calendar, id string) (*calendarapi.Event, error) {
	return w.needs.API.Events.Get(calendar, id).Context(ctx).Do()
}
