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

// An Outcome is what became of a request.
type Outcome struct {
	Event    *calendarapi.Event // as Google has it now; nil once it is deleted
	Repeated bool               // an earlier request had done it
}

// carry makes the request at most once, and settles an unclear answer: an event has its own
// id, and any other change its etag.
func (w *Writer) carry(ctx context.Context, r Request) (Outcome, error) {
	if r.Again != nil {
		return w.carryAgain(ctx, r)
	}
	r = r.writtenIn(ctx)
	got, err := w.send(ctx, r)
	status := statusOf(err)
	switch {
	case err == nil:
		return Outcome{Event: got}, nil
	case r.deletes() && IsGone(err):
		return Outcome{Repeated: true}, nil
	case r.inserts() && status == http.StatusConflict:
		return w.existing(ctx, r)
	case status == http.StatusPreconditionFailed:
		return w.changed(ctx, r, err)
	case metadata.CodeOf(err) == metadata.OutcomeUnknown:
		return w.settle(ctx, r, err)
	}
	return Outcome{}, err
}

// settling bounds how long is looked for what became of a request.
const settling = 20 * time.Second

// settle finds out what became of a request that was not answered as it should,
// and makes it once more where it was not carried out. Who called may be gone.
func (w *Writer) settle(ctx context.Context, r Request, lost error) (Outcome, error) {
	if r.Again != nil {
		return w.settleAgain(ctx, r, lost)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling)
	defer cancel()
	found, left, err := w.look(ctx, r)
	if err == nil && left {
		got, again := w.send(ctx, r)
		switch status := statusOf(again); {
		case again == nil:
			return Outcome{Event: got}, nil
		case metadata.CodeOf(again) == metadata.OutcomeUnknown, IsGone(again), status == http.StatusPreconditionFailed, status == http.StatusConflict:
			found, left, err = w.look(ctx, r) // the first was carried out after all, or this one was
		default:
			return Outcome{}, again // the first came to nothing, and this one was refused
		}
	}
	if err != nil || left {
		return Outcome{}, unsettled(r, lost, err)
	}
	return found, nil
}

// errOther: the event is neither as it was before a request nor as it asks.
var errOther = errors.New("the event is neither as it was nor as it was to be")

// look tells from the event what became of a request: it was carried out, or
// everything is left to do. Any error leaves that unknown.
func (w *Writer) look(ctx context.Context, r Request) (found Outcome, left bool, err error) {
	now, err := w.Get(ctx, r.place(), r.Event)
	gone := IsGone(err) || err == nil && now.Status == event.Cancelled
	switch {
	case err != nil && !gone:
		return Outcome{}, false, err
	case r.deletes() && gone:
		return Outcome{}, false, nil
	case r.inserts() && err != nil:
		return Outcome{}, true, nil
	case r.inserts():
		found, err = MadeBy(ctx, r, now)
		return found, false, err
	case r.moves() && (gone || now.Organizer != nil && !now.Organizer.Self): // a guest's calendar has a copy of the same id
		return w.lookAtSource(ctx, r)
	case r.moves():
		return Outcome{Event: now}, false, nil
	case gone:
		return Outcome{}, false, Deleted(r.Event)
	case now.Etag == r.Etag:
		return Outcome{}, true, nil
	case r.Method == http.MethodPatch && event.Carries(now, r.Body):
		return Outcome{Event: now}, false, nil
	}
	return Outcome{}, false, errOther
}

// lookAtSource tells whether a moved event is still where it was.
func (w *Writer) lookAtSource(ctx context.Context, r Request) (Outcome, bool, error) {
	now, err := w.Get(ctx, r.Calendar, r.Event)
	switch {
	case err != nil:
		return Outcome{}, false, err
	case now.Status == event.Cancelled || now.Etag != r.Etag:
		return Outcome{}, false, errOther
	}
	return Outcome{}, true, nil
}

// existing returns the event that has the id of an insert. Who called may be
// gone, and the event is there all the same.
func (w *Writer) existing(ctx context.Context, r Request) (Outcome, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling)
	defer cancel()
	now, err := w.Get(ctx, r.Calendar, r.Event)
	if IsGone(err) {
		now, err = &calendarapi.Event{Id: r.Event, Status: event.Cancelled}, nil
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("read the event of an earlier call: %w", err)
	}
	found, err := MadeBy(ctx, r, now)
	found.Repeated = true
	return found, err
}

// MadeBy checks that an event is the one that the insert asks for.
func MadeBy(ctx context.Context, r Request, now *calendarapi.Event) (Outcome, error) {
	asked := calendarapi.Event{}
	if err := json.Unmarshal(r.Body, &asked); err != nil {
		return Outcome{}, fmt.Errorf("read the event that was asked for: %w", err)
	}
	switch {
	case now.Status == event.Cancelled:
		return Outcome{}, metadata.Errorf(metadata.Conflict, "the same call made the event %s before, and it was deleted since", r.Event).
			WithHint("Give a new idempotency_key to make it again, or put the deleted one back with calendar_undo. Nothing was done now.")
	case event.DigestIn(now) != event.DigestIn(&asked) && isDraftOf(now, asked):
		return Outcome{}, metadata.Errorf(metadata.Conflict, "the same call made the event before, without its guests, and nothing was done now").
			WithHint("calendar_update_event {\"event_id\": %q, \"add_attendees\": %s} invites them.", r.Event, quoted(event.Addresses(&asked)))
	case event.DigestIn(now) != event.DigestIn(&asked):
		untrusted.PartlyUntrusted(ctx, untrusted.Event) // whoever may change it has its title
		return Outcome{}, metadata.Errorf(metadata.Conflict, "that idempotency_key stands for another event: %s, %q", r.Event, htmltext.Line(now.Summary)).
			WithHint("Use a new idempotency_key for this event, or change that one with calendar_update_event. Nothing was done now.")
	}
	return Outcome{Event: now}, nil
}

// isDraftOf reports whether an event is what was asked for, apart from its missing guests.
func isDraftOf(now *calendarapi.Event, asked calendarapi.Event) bool {
	if len(event.Addresses(now)) > 0 || len(event.Addresses(&asked)) == 0 {
		return false
	}
	asked.Attendees, asked.ExtendedProperties, asked.ConferenceData = nil, nil, nil
	body, err := json.Marshal(&asked)
	return err == nil && event.Carries(now, body)
}

// quoted is the list as JSON has it.
func quoted(list []string) string {
	text, err := json.Marshal(list)
	if err != nil {
		return "[]"
	}
	return string(text)
}

// changed is the error of a request that Google refused because the event changed, unless
// it was to be deleted and is.
func (w *Writer) changed(ctx context.Context, r Request, refused error) (Outcome, error) {
	now, err := w.Get(ctx, r.Calendar, r.Event)
	gone := IsGone(err) || err == nil && now.Status == event.Cancelled
	switch {
	case gone && r.deletes():
		return Outcome{Repeated: true}, nil
	case gone:
		return Outcome{}, Deleted(r.Event)
	case err != nil:
		return Outcome{}, refused
	}
	return Outcome{}, ChangedMeanwhile(now)
}
