package calendar

import (
	"context"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/metadata"
)

// An event is one as Google's API has it.
type event = calendarapi.Event

// Whom Google mails about a change: nobody, only guests who do not use Google
// Calendar, or all guests. The change shows in the calendars of guests who use
// it whether they are mailed or not. "" is notifyNone.
const (
	notifyNone     = "none"
	notifyExternal = "external"
	notifyAll      = "all"
)

// insert makes an event in the calendar of that id, at most once: the event
// brings its own id (see newEventID), and an event that is there under that id
// is not made again. What made it is told by a digest of what was asked, which
// insert keeps with the event.
//
// It returns the event as Google has it, and whether an earlier call made it.
// An id that stands for other content, or for an event that was deleted since,
// answers CONFLICT. A lost answer is settled by looking: OUTCOME_UNKNOWN is left
// where Google cannot be asked, and the same insert may be repeated then.
func (a *agenda) insert(ctx context.Context, calendar string, e *event, notify string) (got *event, repeated bool, err error) {
	r, err := insertion(calendar, e, notify)
	if err != nil {
		return nil, false, err
	}
	done, err := a.carry(ctx, r)
	return done.Event, done.Repeated, err
}

// patch changes fields of the event with that id, and nothing when its etag is
// another: the error is a *changedError then, with the event as it is now. The
// patch is what JSON makes a merge patch of (RFC 7396): an *event or a map.
// Lists such as attendees are replaced whole; conferences and attachments that
// it does not name stay.
//
// It returns the event as Google has it. An event that is gone answers
// NOT_FOUND. A lost answer is settled by looking: with the etag that was given
// the patch is repeated, which cannot apply twice; an event that has what was
// asked for is done. Else the error is OUTCOME_UNKNOWN.
func (a *agenda) patch(ctx context.Context, calendar, id, etag string, patch any, notify string) (*event, error) {
	r, err := patching(calendar, id, etag, patch, notify)
	if err != nil {
		return nil, err
	}
	done, err := a.carry(ctx, r)
	return done.Event, err
}

// remove deletes the event with that id: a series with all its instances, or
// one instance. It reports whether the event was gone before, which is no error.
// An event with another etag stays, as with patch. A lost answer is settled as
// patch does.
func (a *agenda) remove(ctx context.Context, calendar, id, etag, notify string) (gone bool, err error) {
	done, err := a.carry(ctx, removal(calendar, id, etag, notify))
	return done.Repeated, err
}

// moveTo moves the event with that id to another calendar, which changes its
// organizer, and returns it as it is there: the id stays. Google's move knows no
// condition (https://developers.google.com/workspace/calendar/api/v3/reference/events/move),
// so that the etag is compared just before: a change within the moment between
// is moved along and not lost. Errors are those of patch.
func (a *agenda) moveTo(ctx context.Context, calendar, id, etag, destination, notify string) (*event, error) {
	now, err := a.get(ctx, calendar, id)
	switch {
	case err != nil:
		return nil, err
	case now.Status == cancelled:
		return nil, eventGone(id)
	case now.Etag != etag:
		return nil, &changedError{Now: now, cause: changedMeanwhile()}
	}
	done, err := a.carry(ctx, moving(calendar, id, etag, destination, notify))
	return done.Event, err
}

// get reads the event with that id, in the zone of its calendar. A deleted one
// has the status "cancelled", or is NOT_FOUND.
func (a *agenda) get(ctx context.Context, calendar, id string) (*event, error) {
	return a.api.Events.Get(calendar, id).Context(ctx).Do()
}

// cancelled is the status of an event that was deleted.
const cancelled = "cancelled"

// A changedError says that an event was not changed, because it is not as it
// was when it was read. Its code is CONFLICT.
type changedError struct {
	Now   *event // as it is; never a deleted one
	cause *metadata.Error
}

func (e *changedError) Error() string { return e.cause.Error() }

// Unwrap returns the CONFLICT.
func (e *changedError) Unwrap() error { return e.cause }

func changedMeanwhile() *metadata.Error {
	return metadata.Errorf(metadata.Conflict, "the event was changed meanwhile, and nothing was done").
		WithHint("Read it with calendar_get_event, then repeat the change with its etag.")
}

func eventGone(id string) *metadata.Error {
	return metadata.Errorf(metadata.NotFound, "the event %q was deleted, or moved to another calendar", id).
		WithHint("calendar_list_events shows what there is; calendar_undo lists what can be put back.")
}
