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

// executeResend carries out a request that mails an unchanged event to its guests. It adds
// a line to the description without mail. Then it removes the line, which mails the guests.
func (w *Writer) executeResend(ctx context.Context, r Request) (Outcome, error) {
	first := Request{Method: http.MethodPatch, Calendar: r.Calendar, Event: r.Event, Etag: r.Etag, Notify: event.NotifyNone, Body: r.MarkPatch, textUnchanged: true}
	marked, err := w.execute(ctx, first)
	if err != nil {
		return Outcome{}, err
	}
	return w.removeMark(ctx, r, marked.Event)
}

// removeMark removes the added line from the description of an event. This change mails the
// guests. If it fails with a known outcome, removeMark removes the line without mail and
// returns the error.
func (w *Writer) removeMark(ctx context.Context, r Request, marked *calendarapi.Event) (Outcome, error) {
	last := Request{Method: http.MethodPatch, Calendar: r.Calendar, Event: r.Event, Etag: marked.Etag, Notify: r.Notify, Body: r.Body, textUnchanged: true}
	done, err := w.execute(ctx, last)
	if changed := (*ChangedError)(nil); errors.As(err, &changed) && event.MatchesPatch(changed.Now, r.MarkPatch) { // for example, a guest has answered meanwhile
		last.Etag = changed.Now.Etag
		done, err = w.execute(ctx, last)
	}
	if err == nil || metadata.CodeOf(err) == metadata.OutcomeUnknown {
		return done, err
	}
	last.Notify = event.NotifyNone
	if _, failed := w.execute(context.WithoutCancel(ctx), last); failed != nil {
		return Outcome{}, fmt.Errorf("%w; the description of the event now ends with %q", err, resendMark)
	}
	return Outcome{}, err
}

// resolveResend finds out which step of an earlier resend was done, and does the rest. If
// the added line is gone and the etag differs, the outcome stays unknown: the resend may be
// complete, or somebody else changed the event.
func (w *Writer) resolveResend(ctx context.Context, r Request, lostErr error) (Outcome, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resolveTimeout)
	defer cancel()
	now, err := w.Get(ctx, r.Calendar, r.Event)
	switch {
	case IsGone(err), err == nil && now.Status == event.Cancelled:
		return Outcome{}, ErrDeleted(r.Event)
	case err == nil && event.MatchesPatch(now, r.MarkPatch):
		return w.removeMark(ctx, r, now)
	case err == nil && now.Etag == r.Etag:
		return w.executeResend(ctx, r)
	case err == nil:
		err = errUnexpectedVersion
	}
	return Outcome{}, outcomeUnknown(r, lostErr, err)
}

// NewResend returns the request that mails an unchanged event to its guests. digest
// identifies the mailed text: a request with the same digest within ten minutes is a
// repeat.
func NewResend(calendar string, e *calendarapi.Event, notify, digest string) (Request, error) {
	marked := resendMark
	if e.Description != "" {
		marked = e.Description + "\n" + resendMark
	}
	before, err := json.Marshal(map[string]string{"description": marked})
	if err != nil {
		return Request{}, fmt.Errorf("write event: %w", err)
	}
	r, err := NewPatch(calendar, e.Id, e.Etag, map[string]string{"description": e.Description}, notify)
	r.MarkPatch, r.ResendDigest = before, digest
	return r, err
}

// resendMark is the line that a resend adds to the description and removes again.
const resendMark = "The invitation is sent again."

// WithoutResendMark returns the event without the line that an interrupted resend left in
// its description.
func WithoutResendMark(e *calendarapi.Event) *calendarapi.Event {
	bare := *e
	bare.Description = strings.TrimSuffix(strings.TrimSuffix(e.Description, resendMark), "\n")
	if bare.Description == strings.TrimSuffix(e.Description, "\n") {
		return e
	}
	return &bare
}
