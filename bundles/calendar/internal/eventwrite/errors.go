package eventwrite

import (
	"errors"
	"net/http"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google"
	"kota/metadata"
)

// A ChangedError is the error of a change that was not made, because the event differs
// from the version that was read. Its code is CONFLICT.
type ChangedError struct {
	Now   *calendarapi.Event // the current version; never a deleted event
	cause *metadata.Error
}

func (e *ChangedError) Error() string { return e.cause.Error() }

// Unwrap returns the CONFLICT error.
func (e *ChangedError) Unwrap() error { return e.cause }

// ErrChanged returns CONFLICT for an event that somebody changed since it was read.
func ErrChanged(now *calendarapi.Event) *ChangedError {
	return &ChangedError{Now: now, cause: metadata.Errorf(metadata.Conflict, "the event was changed at the same time, so nothing was done").
		WithHint("Read the event with calendar_get_event, then repeat the call with the new etag.")}
}

// ErrDeleted returns NOT_FOUND for an event that was deleted or moved.
func ErrDeleted(id string) *metadata.Error {
	return metadata.Errorf(metadata.NotFound, "the event %q was deleted, or moved to another calendar", id).
		WithHint("calendar_list_events lists the events; calendar_undo lists the changes that can be undone.")
}

// IsGone reports whether Google answered that the event does not exist, or no longer
// exists.
func IsGone(err error) bool {
	status := statusOf(err)
	return status == http.StatusNotFound || status == http.StatusGone
}

// statusOf returns the HTTP status of Google's answer, or 0 if err holds none.
func statusOf(err error) int {
	f := (*google.Failure)(nil)
	if errors.As(err, &f) {
		return f.Status
	}
	return 0
}

func errNoEvent(cause error) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "Google Calendar's answer has no event")
	e.Cause = cause
	return e.WithHint("Before you repeat the call, check with calendar_list_events whether the change was made.")
}

// outcomeUnknown returns the error of a request whose outcome is unknown. lostErr is the
// error of the request. checkErr is the error of checkOutcome, or nil if the event is
// unchanged. If checkErr is CONFLICT or NOT_FOUND, outcomeUnknown returns it.
func outcomeUnknown(r Request, lostErr, checkErr error) error {
	if code := metadata.CodeOf(checkErr); code == metadata.Conflict || code == metadata.NotFound {
		return checkErr
	}
	e := metadata.Errorf(metadata.OutcomeUnknown, "it is unknown whether Google Calendar made the change")
	e.Cause = lostErr
	switch {
	case errors.Is(checkErr, errUnexpectedVersion):
		e.Message += ": " + checkErr.Error()
	case checkErr != nil:
		e.Message += ", because it could not be reached again to check"
	default:
		e.Message += ": so far the event is unchanged"
	}
	if r.isInsert() {
		return e.WithHint("Repeat the call with the same idempotency_key; this creates no second event. If the call had no key, check first with calendar_get_event whether the event %s exists.", r.Event)
	}
	return e.WithHint("Read the event %s with calendar_get_event before you repeat the call.", r.Event)
}
