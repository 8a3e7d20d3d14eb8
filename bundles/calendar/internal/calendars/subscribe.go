package calendars

import (
	"context"
	"errors"
	"fmt"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/metadata"
)

// addSubscription adds a calendar to the user's list. If the list already has the calendar,
// addSubscription only changes its settings to w. Unless w says otherwise, it then shows a
// hidden calendar again.
func addSubscription(ctx context.Context, a *agenda.Agenda, set *agenda.Set, id string, w Settings, dryRun bool) (Result, error) {
	existing := set.WithID(id)
	if existing != nil {
		if existing.Hidden && w.Hidden == nil {
			notHidden := false
			w.Hidden = &notHidden
		}
		return changeCalendar(ctx, a, set, existing, w, dryRun)
	}
	if dryRun {
		return Result{Status: "dry_run", Note: "it would be added to the user's list, if its owner shares it"}, nil
	}
	if err := a.ConfirmSubscribe(ctx, &calendarapi.CalendarListEntry{Id: id}); err != nil {
		return Result{}, err
	}
	if err := recordName(ctx, a, w); err != nil {
		return Result{}, err
	}
	title := "subscribe to calendar " + id
	undo, err := saveChange(ctx, a, title, calendarRecord{Operation: Subscribe, ID: id})
	if err != nil {
		return Result{}, err
	}
	want := w.apply(calendarapi.CalendarListEntry{Selected: true}, false)
	want.Id = id
	_, err = a.API.CalendarList.Insert(want).Context(ctx).Do()
	if err != nil {
		if _, done := resolveLost(ctx, a, err, findAsRequested(id, w, false)); !done {
			return Result{}, errIncomplete(ctx, a, undo, false, errNotShared(err, id))
		}
	}
	out, err := withCurrentState(ctx, a, Result{Status: "subscribed", Undo: undo}, id)
	recordState(ctx, a, undo, title, calendarRecord{Operation: Subscribe, ID: id})
	return out, err
}

// errNotShared returns the error of a failed subscription: NOT_FOUND for a calendar that
// the user may not see, otherwise err with context.
func errNotShared(err error, id string) error {
	if metadata.CodeOf(err) != metadata.NotFound {
		return fmt.Errorf("subscribe to calendar: %w", err)
	}
	e := metadata.Errorf(metadata.NotFound, "there is no calendar %q, or it is not shared with the user", id)
	e.Cause = err
	return e.WithHint("Its owner must first share it with the user, in the settings of Google Calendar.")
}

// removeSubscription removes a calendar from the user's list.
func removeSubscription(ctx context.Context, a *agenda.Agenda, set *agenda.Set, entry *calendarapi.CalendarListEntry, dryRun bool) (Result, error) {
	out := Result{Status: "unsubscribed", Calendar: resultRow(ctx, set, entry)}
	if dryRun {
		out.Status = "dry_run"
		return out, nil
	}
	undo, err := saveChange(ctx, a, "unsubscribe from calendar "+agenda.Title(entry), calendarRecord{Operation: Unsubscribe, ID: entry.Id, Before: entry})
	if err != nil {
		return Result{}, err
	}
	err = a.API.CalendarList.Delete(entry.Id).Context(ctx).Do()
	if err != nil && metadata.CodeOf(err) != metadata.NotFound {
		if _, gone := resolveLost(ctx, a, err, findNotListed(entry.Id)); !gone {
			return Result{}, errIncomplete(ctx, a, undo, false, fmt.Errorf("unsubscribe from calendar: %w", err))
		}
	}
	out.Undo = undo
	return out, nil
}

// resolveLost checks whether a change with a lost answer was made. It returns the calendar
// that find finds in the present list, and false if find returns nil. It also returns false
// if the list cannot be read. It returns false for an error that is not a lost answer,
// because then nothing was done.
func resolveLost(ctx context.Context, a *agenda.Agenda, lostErr error, find func(*agenda.Set) *calendarapi.CalendarListEntry) (*calendarapi.CalendarListEntry, bool) {
	if metadata.CodeOf(lostErr) != metadata.OutcomeUnknown {
		return nil, false
	}
	set, err := a.ReadCalendars(ctx)
	if err != nil {
		return nil, false
	}
	e := find(set)
	return e, e != nil
}

// findAsRequested returns a function that finds the calendar with that id if it has the
// requested settings.
func findAsRequested(id string, w Settings, owned bool) func(*agenda.Set) *calendarapi.CalendarListEntry {
	return func(s *agenda.Set) *calendarapi.CalendarListEntry {
		if e := s.WithID(id); e != nil && w.matches(e, owned) {
			return e
		}
		return nil
	}
}

// findNotListed returns a function that returns nil if the calendar with that id is on the
// list. Otherwise the function returns an entry with that id.
func findNotListed(id string) func(*agenda.Set) *calendarapi.CalendarListEntry {
	return func(s *agenda.Set) *calendarapi.CalendarListEntry {
		if s.WithID(id) != nil {
			return nil
		}
		return &calendarapi.CalendarListEntry{Id: id}
	}
}

// withCurrentState adds the current state of the calendar to the answer. A failed read is
// not an error, because the change has been made.
func withCurrentState(ctx context.Context, a *agenda.Agenda, out Result, id string) (Result, error) {
	set, err := a.ReadCalendars(ctx)
	if err != nil {
		out.Note = strings.TrimPrefix(out.Note+"; it was done, and could not be read again", "; ")
		return out, nil
	}
	if e := set.WithID(id); e != nil {
		out.Calendar = resultRow(ctx, set, e)
	}
	return out, nil
}

// resultRow returns the row of a calendar. Unlike in a list, the calendar is hidden if it
// is not selected, even if no calendar is selected.
func resultRow(ctx context.Context, s *agenda.Set, e *calendarapi.CalendarListEntry) *Row {
	row := RowOf(ctx, s, e)
	row.Hidden = isHidden(e)
	return row
}

// messageOf returns the message of an error for a note.
func messageOf(err error) string {
	if e := (*metadata.Error)(nil); errors.As(err, &e) {
		return e.Message
	}
	return "it failed"
}
