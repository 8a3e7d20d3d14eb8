package calendar

import (
	"cmp"
	"context"
	"fmt"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// createCalendar makes a calendar of the user's, unless there is one of that
// name.
func (a *agenda) createCalendar(ctx context.Context, set *calendarSet, w wish, dry bool) (manageCalendarOut, error) {
	if w.zone == "" {
		w.zone = a.Zone().String()
	}
	there := set.owned(*w.name)
	switch {
	case there != nil:
		return manageCalendarOut{Status: "unchanged", Calendar: set.managed(ctx, there), Note: "a calendar of that name was there already"}, nil
	case dry:
		return manageCalendarOut{Status: "dry_run", Calendar: set.managed(ctx, w.apply(calendarapi.CalendarListEntry{AccessRole: "owner", Selected: true}, true))}, nil
	}
	if err := a.nameCalendar(ctx, w); err != nil {
		return manageCalendarOut{}, err
	}
	title := "create calendar " + *w.name
	undo, err := a.keep(ctx, title, keptCalendar{Did: createCalendar, Name: *w.name})
	if err != nil {
		return manageCalendarOut{}, err
	}
	id, err := a.insertCalendar(ctx, w)
	if err != nil {
		return manageCalendarOut{}, a.stopped(ctx, undo, false, fmt.Errorf("create calendar: %w", err))
	}
	if err := a.undos().Amend(ctx, undo, title, keptCalendar{Did: createCalendar, ID: id, Name: *w.name}); err != nil {
		return manageCalendarOut{}, err
	}
	out := manageCalendarOut{Status: "created", Undo: undo}
	looks := wish{color: w.color, hidden: w.hidden}
	if patch, some := looks.entryPatch(&calendarapi.CalendarListEntry{}, true); some {
		if _, err := a.api.CalendarList.Patch(id, patch).Context(ctx).Do(); err != nil {
			out.Note = "it is there, but its color and hidden are not set: " + said(err)
		}
	}
	out, err = a.asItIs(ctx, out, id)
	a.keepLeft(ctx, undo, title, keptCalendar{Did: createCalendar, ID: id, Name: *w.name})
	return out, err
}

// nameCalendar notes whose words the name may be that a calendar is to have.
func (a *agenda) nameCalendar(ctx context.Context, w wish) error {
	if w.name == nil {
		return nil
	}
	return a.namesOf().Give(ctx, a.account.Key(), false, htmltext.Line(*w.name))
}

// insertCalendar makes the calendar and returns its id.
func (a *agenda) insertCalendar(ctx context.Context, w wish) (id string, err error) {
	patch, _ := w.calendarPatch()
	made, err := a.api.Calendars.Insert(patch).Context(ctx).Do()
	if err == nil {
		return made.Id, nil
	}
	asked := wish{name: w.name, description: w.description, zone: w.zone}
	found, ok := a.settled(ctx, err, func(s *calendarSet) *calendarapi.CalendarListEntry {
		if e := s.owned(*w.name); e != nil && asked.has(e, true) {
			return e
		}
		return nil
	})
	if !ok {
		return "", err
	}
	return found.Id, nil
}

// owned returns the calendar of that name that is the user's, nil when there is
// none.
func (s *calendarSet) owned(name string) *calendarapi.CalendarListEntry {
	name = titleOf(&calendarapi.CalendarListEntry{Summary: name})
	for _, e := range s.list {
		if isOwned(e) && !e.Primary && titleOf(e) == name {
			return e
		}
	}
	return nil
}

// updateCalendar changes a calendar, or how the user sees it.
func (a *agenda) updateCalendar(ctx context.Context, set *calendarSet, of *calendarapi.CalendarListEntry, w wish, dry bool) (manageCalendarOut, error) {
	own := isOwned(of)
	if !own && (w.description != nil || w.zone != "") {
		return manageCalendarOut{}, metadata.Errorf(metadata.Refused, "the calendar is somebody else's, and its description and time zone are as well").
			WithHint("Ask its owner, or set name, color and hidden, which are the user's own.")
	}
	out := manageCalendarOut{Status: "updated", Before: set.managed(ctx, of), Calendar: set.managed(ctx, w.apply(*of, own))}
	switch {
	case w.has(of, own):
		return manageCalendarOut{Status: "unchanged", Calendar: set.managed(ctx, of), Note: "it is so already"}, nil
	case dry:
		out.Status = "dry_run"
		return out, nil
	}
	if err := maySetCalendar(ctx, of, w); err != nil {
		return manageCalendarOut{}, err
	}
	if err := a.nameCalendar(ctx, w); err != nil {
		return manageCalendarOut{}, err
	}
	undo, err := a.keep(ctx, "change calendar "+titleOf(of), keepCalendar(of, w.apply(*of, own)))
	if err != nil {
		return manageCalendarOut{}, err
	}
	some, err := a.setCalendar(ctx, of, w, own)
	if err != nil {
		if _, done := a.settled(ctx, err, isAsked(of.Id, w, own)); !done {
			return manageCalendarOut{}, a.stopped(ctx, undo, some, fmt.Errorf("change calendar: %w", err))
		}
	}
	out.Undo = undo
	return a.asItIs(ctx, out, of.Id)
}

// maySetCalendar asks whether what everybody sees of a calendar may become
// another. Who may not read its events sees its name all the same.
func maySetCalendar(ctx context.Context, of *calendarapi.CalendarListEntry, w wish) error {
	if !isOwned(of) {
		return nil
	}
	lines := []bundles.Line{{Name: "Calendar", Text: htmltext.Line(titleOf(of))}}
	for _, set := range []struct{ name, was, is string }{
		{"name", of.Summary, w.apply(*of, true).Summary},
		{"description", of.Description, w.apply(*of, true).Description},
		{"timezone", of.TimeZone, w.apply(*of, true).TimeZone},
	} {
		if set.was != set.is {
			lines = append(lines, bundles.Line{Name: eventtext.NewField + set.name, Text: cmp.Or(set.is, "nothing")})
		}
	}
	if len(lines) == 1 {
		return nil
	}
	return bundles.MaySend(ctx, bundles.Outgoing{What: "change of a calendar", People: []string{sharers}, Lines: lines})
}

// setCalendar makes the calendar what it is to be, if it is as it was read: how
// the user sees it first, whose etag changes with the calendar. With an error it
// reports whether some of it was done.
func (a *agenda) setCalendar(ctx context.Context, of *calendarapi.CalendarListEntry, w wish, own bool) (some bool, err error) {
	looks, some := w.entryPatch(of, own)
	if some {
		ask := a.api.CalendarList.Patch(of.Id, looks).Context(ctx)
		ask.Header().Set("If-Match", of.Etag)
		if _, err := ask.Do(); err != nil {
			return false, err
		}
	}
	patch, more := w.calendarPatch()
	if !more || !own {
		return some, nil
	}
	is, err := a.api.Calendars.Get(of.Id).Context(ctx).Do()
	if err != nil {
		return some, err
	}
	if is.Summary != of.Summary || is.Description != of.Description || is.TimeZone != of.TimeZone {
		untrusted.Mixed(ctx, untrusted.Event) // its name is of whoever changed it
		return some, metadata.Errorf(metadata.Conflict, "somebody changed the calendar meanwhile: it is called %q now", titleOf(&calendarapi.CalendarListEntry{Summary: is.Summary})).
			WithHint("Look at it with calendar_list_calendars, then repeat the change.")
	}
	ask := a.api.Calendars.Patch(of.Id, patch).Context(ctx)
	ask.Header().Set("If-Match", is.Etag)
	_, err = ask.Do()
	return some, err
}

// stopped is the error of a change that was not made, or only in part: what was
// done, or may have been, can be undone.
func (a *agenda) stopped(ctx context.Context, undo string, some bool, why error) error {
	switch {
	case metadata.CodeOf(why) == metadata.OutcomeUnknown:
		return a.undos().Unknown(undo, why)
	case !some:
		return a.undos().Drop(ctx, undo, why)
	}
	e := metadata.Errorf(metadata.CodeOf(why), "only a part was done: %s", said(why))
	e.Cause = why
	return e.WithHint("calendar_undo {\"undo_id\": %q} takes back that part; the same call again does the rest.", undo)
}
