// Package putback has what the undos of changes of events share: the event as it is
// now, wherever it was moved to, and what an undo answers. Start with [Target].
package putback

import (
	"context"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
)

// A Result is what an undo did.
type Result struct {
	Event *eventtext.Row // as it is now
	Note  string         // what is not as before, and why
}

// Target reads the event that an undo is about, deleted or not.
func Target(ctx context.Context, a *agenda.Agenda, calendar, id string) (*series.Target, *calendarapi.Event, error) {
	t, err := TargetIn(ctx, a, calendar)
	if err != nil {
		return nil, nil, err
	}
	t.One, err = a.Get(ctx, calendar, id)
	if eventwrite.IsGone(err) || err == nil && t.One.Status == event.Cancelled {
		there, e, failed := movedTo(ctx, a, calendar, id)
		if failed != nil {
			return nil, nil, failed
		}
		if e != nil {
			if t, err = TargetIn(ctx, a, there.Id); err == nil {
				t.One = e
			}
		}
	}
	if err != nil {
		return nil, nil, series.NoEvent(err, id)
	}
	return t, t.One, nil
}

// TargetIn is the target of an undo in the calendar of that id.
func TargetIn(ctx context.Context, a *agenda.Agenda, calendar string) (*series.Target, error) {
	found, err := a.Find(ctx, calendar)
	if err != nil {
		return nil, err
	}
	theirs, err := a.SharersOf(ctx, found)
	return &series.Target{Calendar: found, Zone: a.Zone(), Own: []string{a.Account.Address, found.Id}, Sharers: theirs, Scope: series.ScopeThis}, err
}

// movedTo finds an event that left its calendar in another of the user's, or none.
func movedTo(ctx context.Context, a *agenda.Agenda, from, id string) (*calendarapi.CalendarListEntry, *calendarapi.Event, error) {
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
			return nil, nil, series.NoEvent(err, id)
		case e.Status != event.Cancelled && event.OrganizedByUser(e):
			return one, e, nil
		}
	}
	return nil, nil, nil
}
