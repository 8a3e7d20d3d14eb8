package eventwrite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
	"kota/metadata"
)

// carryAgain carries out a request that mails an unchanged event to its guests.
func (w *Writer) carryAgain(ctx context.Context, r Request) (Outcome, error) {
	first := Request{Method: http.MethodPatch, Calendar: r.Calendar, Event: r.Event, Etag: r.Etag, Notify: event.NotifyNone, Body: r.Again, same: true}
	marked, err := w.carry(ctx, first)
	if err != nil {
		return Outcome{}, err
	}
	return w.unmark(ctx, r, marked.Event)
}

// unmark removes the line from the description of an event, which mails its guests. If that
// is refused, it removes the line without mail.
func (w *Writer) unmark(ctx context.Context, r Request, marked *calendarapi.Event) (Outcome, error) {
	last := Request{Method: http.MethodPatch, Calendar: r.Calendar, Event: r.Event, Etag: marked.Etag, Notify: r.Notify, Body: r.Body, same: true}
	done, err := w.carry(ctx, last)
	if changed := (*ChangedError)(nil); errors.As(err, &changed) && event.Carries(changed.Now, r.Again) { // a guest has answered
		last.Etag = changed.Now.Etag
		done, err = w.carry(ctx, last)
	}
	if err == nil || metadata.CodeOf(err) == metadata.OutcomeUnknown {
		return done, err
	}
	last.Notify = event.NotifyNone
	if _, left := w.carry(context.WithoutCancel(ctx), last); left != nil {
		return Outcome{}, fmt.Errorf("%w; the description of the event ends with %q now", err, sendingAgain)
	}
	return Outcome{}, err
}

// settleAgain finds out how far an earlier try to mail guests came, and does the rest. The
// outcome stays unknown if somebody else changed the event.
func (w *Writer) settleAgain(ctx context.Context, r Request, lost error) (Outcome, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling)
	defer cancel()
	now, err := w.Get(ctx, r.Calendar, r.Event)
	switch {
	case IsGone(err), err == nil && now.Status == event.Cancelled:
		return Outcome{}, Deleted(r.Event)
	case err == nil && event.Carries(now, r.Again):
		return w.unmark(ctx, r, now)
	case err == nil && now.Etag == r.Etag:
		return w.carryAgain(ctx, r)
	case err == nil:
		err = errOther
	}
	return Outcome{}, unsettled(r, lost, err)
}

// NewResend returns the request that mails an unchanged event to its guests. of identifies
// what they are mailed: the same value within some minutes is a repeat.
func NewResend(calendar string, e *calendarapi.Event, notify, of string) (Request, error) {
	marked := sendingAgain
	if e.Description != "" {
		marked = e.Description + "\n" + sendingAgain
	}
	before, err := json.Marshal(map[string]string{"description": marked})
	if err != nil {
		return Request{}, fmt.Errorf("write event: %w", err)
	}
	r, err := NewPatch(calendar, e.Id, e.Etag, map[string]string{"description": e.Description}, notify)
	r.Again, r.Of = before, of
	return r, err
}

// sendingAgain is a line in the description while guests are mailed.
const sendingAgain = "The invitation is sent again."

// WithoutMark returns the event without the line that an interrupted try left in its
// description.
func WithoutMark(e *calendarapi.Event) *calendarapi.Event {
	bare := *e
	bare.Description = strings.TrimSuffix(strings.TrimSuffix(e.Description, sendingAgain), "\n")
	if bare.Description == strings.TrimSuffix(e.Description, "\n") {
		return e
	}
	return &bare
}
