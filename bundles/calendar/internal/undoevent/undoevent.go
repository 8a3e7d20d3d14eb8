// Package undoevent has the code that all undos of event changes share. It finds the
// current version of the event, even in another calendar, and defines the result of an
// undo. Start with [ReadTarget].
package undoevent

import (
	"context"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
)

// A Result is the outcome of an undo.
type Result struct {
	Event *eventtext.Row // the event after the undo
	Note  string         // a remark for the user, such as what could not be restored; may be ""
}

// ReadTarget reads the event that an undo is about, even if it is deleted. If the event was
// moved to another of the user's calendars, ReadTarget reads it there.
func ReadTarget(ctx context.Context, a *agenda.Agenda, calendar, id string) (*series.Target, *calendarapi.Event, error) {
	t, err := NewTarget(ctx, a, calendar)
	if err != nil {
		return nil, nil, err
	}
	t.Single, err = a.Get(ctx, calendar, id)
	if eventwrite.IsGone(err) || err == nil && t.Single.Status == event.Cancelled {
		calendarNow, e, failed := findMoved(ctx, a, calendar, id)
		if failed != nil {
			return nil, nil, failed
		}
		if e != nil {
			if t, err = NewTarget(ctx, a, calendarNow.Id); err == nil {
				t.Single = e
			}
		}
	}
	if err != nil {
		return nil, nil, series.ErrNoEvent(err, id)
	}
	return t, t.Single, nil
}

// NewTarget returns the target of an undo in the calendar with that id. The target's event
// is not set.
func NewTarget(ctx context.Context, a *agenda.Agenda, calendar string) (*series.Target, error) {
	found, err := a.Find(ctx, calendar)
	if err != nil {
		return nil, err
	}
	sharers, err := a.SharersOf(ctx, found)
	return &series.Target{Calendar: found, Zone: a.Zone(), OwnAddresses: []string{a.Account.Address, found.Id}, Sharers: sharers, Scope: series.ScopeThis}, err
}

// findMoved looks in the user's other writable calendars for an event that left the
// calendar from. It returns nil if none of them has the event.
func findMoved(ctx context.Context, a *agenda.Agenda, from, id string) (*calendarapi.CalendarListEntry, *calendarapi.Event, error) {
	set, err := a.Calendars(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, one := range set.List {
		if one.Id == from || agenda.IsReadOnly(one) {
			continue
		}
		e, err := a.Get(ctx, one.Id, id)
		switch {
		case eventwrite.IsGone(err):
		case err != nil:
			return nil, nil, series.ErrNoEvent(err, id)
		case e.Status != event.Cancelled && event.OrganizedByUser(e):
			return one, e, nil
		}
	}
	return nil, nil, nil
}
