package calendar

import (
	"context"
	"errors"
	"fmt"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/metadata"
)

// subscribe puts a calendar on the user's list that the user may see.
func (a *agenda) subscribe(ctx context.Context, set *calendarSet, id string, w wish, dry bool) (manageCalendarOut, error) {
	there := set.withID(id)
	if there != nil {
		if there.Hidden && w.hidden == nil {
			shown := false
			w.hidden = &shown
		}
		return a.updateCalendar(ctx, set, there, w, dry)
	}
	if dry {
		return manageCalendarOut{Status: "dry_run", Note: "it would be put on the user's list, if its owner shares it"}, nil
	}
	if err := a.maySubscribe(ctx, &calendarapi.CalendarListEntry{Id: id}); err != nil {
		return manageCalendarOut{}, err
	}
	if err := a.nameCalendar(ctx, w); err != nil {
		return manageCalendarOut{}, err
	}
	title := "subscribe to calendar " + id
	undo, err := a.keep(ctx, title, keptCalendar{Did: subscribe, ID: id})
	if err != nil {
		return manageCalendarOut{}, err
	}
	want := w.apply(calendarapi.CalendarListEntry{Selected: true}, false)
	want.Id = id
	_, err = a.api.CalendarList.Insert(want).Context(ctx).Do()
	if err != nil {
		if _, done := a.settled(ctx, err, isAsked(id, w, false)); !done {
			return manageCalendarOut{}, a.stopped(ctx, undo, false, notShared(err, id))
		}
	}
	out, err := a.asItIs(ctx, manageCalendarOut{Status: "subscribed", Undo: undo}, id)
	a.keepLeft(ctx, undo, title, keptCalendar{Did: subscribe, ID: id})
	return out, err
}

// notShared is the error of subscribing to a calendar that the user may not see.
func notShared(err error, id string) error {
	if metadata.CodeOf(err) != metadata.NotFound {
		return fmt.Errorf("subscribe to calendar: %w", err)
	}
	e := metadata.Errorf(metadata.NotFound, "there is no calendar %q that the user may see", id)
	e.Cause = err
	return e.WithHint("Its owner has to share it with the user first, in the settings of Google Calendar.")
}

// unsubscribe takes a calendar off the user's list.
func (a *agenda) unsubscribe(ctx context.Context, set *calendarSet, of *calendarapi.CalendarListEntry, dry bool) (manageCalendarOut, error) {
	out := manageCalendarOut{Status: "unsubscribed", Calendar: set.managed(ctx, of)}
	if dry {
		out.Status = "dry_run"
		return out, nil
	}
	undo, err := a.keep(ctx, "unsubscribe from calendar "+titleOf(of), keptCalendar{Did: unsubscribe, ID: of.Id, Before: of})
	if err != nil {
		return manageCalendarOut{}, err
	}
	err = a.api.CalendarList.Delete(of.Id).Context(ctx).Do()
	if err != nil && metadata.CodeOf(err) != metadata.NotFound {
		if _, gone := a.settled(ctx, err, isGoneFrom(of.Id)); !gone {
			return manageCalendarOut{}, a.stopped(ctx, undo, false, fmt.Errorf("unsubscribe from calendar: %w", err))
		}
	}
	out.Undo = undo
	return out, nil
}

// settled looks whether a change whose answer was lost was made after all: it
// returns what found finds in the calendars as they are now. Any other error
// says itself that nothing was done.
func (a *agenda) settled(ctx context.Context, lost error, found func(*calendarSet) *calendarapi.CalendarListEntry) (*calendarapi.CalendarListEntry, bool) {
	if metadata.CodeOf(lost) != metadata.OutcomeUnknown {
		return nil, false
	}
	set, err := a.readCalendars(ctx)
	if err != nil {
		return nil, false
	}
	e := found(set)
	return e, e != nil
}

// isAsked finds the calendar of that id where it has all that was asked for.
func isAsked(id string, w wish, own bool) func(*calendarSet) *calendarapi.CalendarListEntry {
	return func(s *calendarSet) *calendarapi.CalendarListEntry {
		if e := s.withID(id); e != nil && w.has(e, own) {
			return e
		}
		return nil
	}
}

// isGoneFrom finds nothing but that a calendar is not on the list any more.
func isGoneFrom(id string) func(*calendarSet) *calendarapi.CalendarListEntry {
	return func(s *calendarSet) *calendarapi.CalendarListEntry {
		if s.withID(id) != nil {
			return nil
		}
		return &calendarapi.CalendarListEntry{Id: id}
	}
}

// asItIs completes the answer with the calendar as it is now. The change has been
// made: that it cannot be read again is no error.
func (a *agenda) asItIs(ctx context.Context, out manageCalendarOut, id string) (manageCalendarOut, error) {
	set, err := a.readCalendars(ctx)
	if err != nil {
		out.Note = strings.TrimPrefix(out.Note+"; it was done, and could not be read again", "; ")
		return out, nil
	}
	if e := set.withID(id); e != nil {
		out.Calendar = set.managed(ctx, e)
	}
	return out, nil
}

// managed is the row of a calendar that is hidden when it is not ticked. A list
// hides none where nothing is ticked at all.
func (s *calendarSet) managed(ctx context.Context, e *calendarapi.CalendarListEntry) *calendarRow {
	row := s.row(ctx, e)
	row.Hidden = isHidden(e)
	return row
}

// isOwned reports whether the user may do everything with the calendar.
func isOwned(e *calendarapi.CalendarListEntry) bool { return e.AccessRole == "owner" }

// said is what an error says to people.
func said(err error) string {
	if e := (*metadata.Error)(nil); errors.As(err, &e) {
		return e.Message
	}
	return "it failed"
}
