package eventwrite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// An Outcome is the result of a request.
type Outcome struct {
	Event    *calendarapi.Event // Google's current version, or in a dry run the planned event; nil after a deletion
	Repeated bool               // the change had been made before the request
}

// execute carries out the request at most once. If the answer is lost, execute finds out
// the outcome, and may send the request again. The request cannot take effect twice. An
// insert has the same id, a patch or a deletion has the old etag, and a moved event has
// left its old calendar.
func (w *Writer) execute(ctx context.Context, r Request) (Outcome, error) {
	if r.MarkPatch != nil {
		return w.executeResend(ctx, r)
	}
	r = r.withTaint(ctx)
	got, err := w.doRequest(ctx, r)
	status := statusOf(err)
	switch {
	case err == nil:
		return Outcome{Event: got}, nil
	case r.isDelete() && IsGone(err):
		return Outcome{Repeated: true}, nil
	case r.isInsert() && status == http.StatusConflict:
		return w.existingEvent(ctx, r)
	case status == http.StatusPreconditionFailed:
		return w.resolveChanged(ctx, r, err)
	case metadata.CodeOf(err) == metadata.OutcomeUnknown:
		return w.resolveOutcome(ctx, r, err)
	}
	return Outcome{}, err
}

// resolveTimeout limits the time that KOTA takes to find out the outcome of a request.
const resolveTimeout = 20 * time.Second

// resolveOutcome finds out the outcome of a request whose answer was lost. If the request
// was not carried out, it makes the request once more. It continues if the caller cancels
// ctx.
func (w *Writer) resolveOutcome(ctx context.Context, r Request, lostErr error) (Outcome, error) {
	if r.MarkPatch != nil {
		return w.resolveResend(ctx, r, lostErr)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resolveTimeout)
	defer cancel()
	found, notDone, err := w.checkOutcome(ctx, r)
	if err == nil && notDone {
		got, retryErr := w.doRequest(ctx, r)
		switch status := statusOf(retryErr); {
		case retryErr == nil:
			return Outcome{Event: got}, nil
		case metadata.CodeOf(retryErr) == metadata.OutcomeUnknown, IsGone(retryErr), status == http.StatusPreconditionFailed, status == http.StatusConflict:
			found, notDone, err = w.checkOutcome(ctx, r) // one of the two requests was carried out after all
		default:
			return Outcome{}, retryErr // the first had no effect, and the second was refused
		}
	}
	if err != nil || notDone {
		return Outcome{}, outcomeUnknown(r, lostErr, err)
	}
	return found, nil
}

// errUnexpectedVersion means that the event matches neither its version before the
// request nor the requested one.
var errUnexpectedVersion = errors.New("the event has neither its old nor its new content")

// checkOutcome reads the event to find out the outcome of a request. notDone reports that
// the request was not carried out. After an error other than CONFLICT and NOT_FOUND, the
// outcome is unknown.
func (w *Writer) checkOutcome(ctx context.Context, r Request) (found Outcome, notDone bool, err error) {
	now, err := w.Get(ctx, r.finalCalendar(), r.Event)
	gone := IsGone(err) || err == nil && now.Status == event.Cancelled
	switch {
	case err != nil && !gone:
		return Outcome{}, false, err
	case r.isDelete() && gone:
		return Outcome{}, false, nil
	case r.isInsert() && err != nil:
		return Outcome{}, true, nil
	case r.isInsert():
		found, err = CheckInserted(ctx, r, now)
		return found, false, err
	case r.isMove() && (gone || now.Organizer != nil && !now.Organizer.Self): // a guest's calendar has a copy with the same id
		return w.checkSource(ctx, r)
	case r.isMove():
		return Outcome{Event: now}, false, nil
	case gone:
		return Outcome{}, false, ErrDeleted(r.Event)
	case now.Etag == r.Etag:
		return Outcome{}, true, nil
	case r.Method == http.MethodPatch && event.MatchesPatch(now, r.Body):
		return Outcome{Event: now}, false, nil
	}
	return Outcome{}, false, errUnexpectedVersion
}

// checkSource checks an event that is not in its new calendar after a move. It returns true
// if the event is unchanged in its old calendar, else an error.
func (w *Writer) checkSource(ctx context.Context, r Request) (Outcome, bool, error) {
	now, err := w.Get(ctx, r.Calendar, r.Event)
	switch {
	case err != nil:
		return Outcome{}, false, err
	case now.Status == event.Cancelled || now.Etag != r.Etag:
		return Outcome{}, false, errUnexpectedVersion
	}
	return Outcome{}, true, nil
}

// existingEvent returns the outcome of an insert whose event already exists. It continues
// if the caller cancels ctx.
func (w *Writer) existingEvent(ctx context.Context, r Request) (Outcome, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resolveTimeout)
	defer cancel()
	now, err := w.Get(ctx, r.Calendar, r.Event)
	if IsGone(err) {
		now, err = &calendarapi.Event{Id: r.Event, Status: event.Cancelled}, nil
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("read the event of an earlier call: %w", err)
	}
	found, err := CheckInserted(ctx, r, now)
	found.Repeated = true
	return found, err
}

// CheckInserted checks that now is the event that the insert asks for. It returns CONFLICT
// if now is another event, was deleted or lacks the guests.
func CheckInserted(ctx context.Context, r Request, now *calendarapi.Event) (Outcome, error) {
	requested := calendarapi.Event{}
	if err := json.Unmarshal(r.Body, &requested); err != nil {
		return Outcome{}, fmt.Errorf("read the requested event: %w", err)
	}
	switch {
	case now.Status == event.Cancelled:
		return Outcome{}, metadata.Errorf(metadata.Conflict, "an earlier call with this key created the event %s, which has since been deleted", r.Event).
			WithHint("Use a new idempotency_key to create it again, or restore the deleted one with calendar_undo. Nothing was done now.")
	case event.DigestOf(now) != event.DigestOf(&requested) && isDraftOf(now, requested):
		return Outcome{}, metadata.Errorf(metadata.Conflict, "an earlier call with this key created the event without its guests, so nothing was done now").
			WithHint("calendar_update_event {\"event_id\": %q, \"add_attendees\": %s} invites them.", r.Event, toJSON(event.Addresses(&requested)))
	case event.DigestOf(now) != event.DigestOf(&requested):
		untrusted.MarkPartly(ctx, untrusted.Event) // anyone who may change the event can set its title
		return Outcome{}, metadata.Errorf(metadata.Conflict, "this idempotency_key was used for another event: %s, %q", r.Event, htmltext.Line(now.Summary)).
			WithHint("Use a new idempotency_key for this event, or change the other one with calendar_update_event. Nothing was done now.")
	}
	return Outcome{Event: now}, nil
}

// isDraftOf reports whether now is the requested event without its guests.
func isDraftOf(now *calendarapi.Event, requested calendarapi.Event) bool {
	if len(event.Addresses(now)) > 0 || len(event.Addresses(&requested)) == 0 {
		return false
	}
	requested.Attendees, requested.ExtendedProperties, requested.ConferenceData = nil, nil, nil
	body, err := json.Marshal(&requested)
	return err == nil && event.MatchesPatch(now, body)
}

// toJSON returns the list in JSON.
func toJSON(list []string) string {
	text, err := json.Marshal(list)
	if err != nil {
		return "[]"
	}
	return string(text)
}

// resolveChanged returns the error of a request that Google refused because the event
// changed. It returns no error if the request deletes an event that is already gone.
func (w *Writer) resolveChanged(ctx context.Context, r Request, refused error) (Outcome, error) {
	now, err := w.Get(ctx, r.Calendar, r.Event)
	gone := IsGone(err) || err == nil && now.Status == event.Cancelled
	switch {
	case gone && r.isDelete():
		return Outcome{Repeated: true}, nil
	case gone:
		return Outcome{}, ErrDeleted(r.Event)
	case err != nil:
		return Outcome{}, refused
	}
	return Outcome{}, ErrChanged(now)
}
