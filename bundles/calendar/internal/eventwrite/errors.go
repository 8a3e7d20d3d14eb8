package eventwrite

import (
	"errors"
	"net/http"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google"
	"kota/metadata"
)

// A ChangedError says that an event was not changed, because it is not as it
// was when it was read. Its code is CONFLICT.
type ChangedError struct {
	Now   *calendarapi.Event // as it is; never a deleted one
	cause *metadata.Error
}

func (e *ChangedError) Error() string { return e.cause.Error() }

// Unwrap returns the CONFLICT.
func (e *ChangedError) Unwrap() error { return e.cause }

// ChangedMeanwhile is the CONFLICT of a change of an event that is another by now.
func ChangedMeanwhile(now *calendarapi.Event) *ChangedError {
	return &ChangedError{Now: now, cause: metadata.Errorf(metadata.Conflict, "the event was changed meanwhile, and nothing was done").
		WithHint("Read it with calendar_get_event, then repeat the change with its etag.")}
}

// Deleted is the NOT_FOUND of an event that was there before.
func Deleted(id string) *metadata.Error {
	return metadata.Errorf(metadata.NotFound, "the event %q was deleted, or moved to another calendar", id).
		WithHint("calendar_list_events shows what there is; calendar_undo lists what can be put back.")
}

// IsGone reports whether Google says that there is no such event, or none any
// more.
func IsGone(err error) bool {
	status := statusOf(err)
	return status == http.StatusNotFound || status == http.StatusGone
}

// statusOf returns the HTTP status that Google answered with, 0 if err holds none.
func statusOf(err error) int {
	f := (*google.Failure)(nil)
	if errors.As(err, &f) {
		return f.Status
	}
	return 0
}

func notUnderstood(cause error) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "Google Calendar's answer has no event")
	e.Cause = cause
	return e.WithHint("Look with calendar_list_events whether it happened before you repeat it.")
}

// unsettled is the error of a request of which a look, which failed with err or
// showed it undone, did not tell what became of it.
func unsettled(r Request, lost, err error) error {
	if code := metadata.CodeOf(err); code == metadata.Conflict || code == metadata.NotFound {
		return err
	}
	e := metadata.Errorf(metadata.OutcomeUnknown, "Google Calendar may or may not have carried this out")
	e.Cause = lost
	switch {
	case errors.Is(err, errOther):
		e.Message += ": " + err.Error()
	case err != nil:
		e.Message += ", and could not be asked since"
	default:
		e.Message += ": the event is still as it was"
	}
	if r.inserts() {
		return e.WithHint("Repeat the call with the same idempotency_key, which makes no second event; without one, look with calendar_get_event whether there is %s.", r.Event)
	}
	return e.WithHint("Look with calendar_get_event at %s before you repeat the call.", r.Event)
}
