package calendars

import (
	"cmp"
	"context"
	"fmt"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// makeCalendar makes a calendar, unless the user already owns one with that name.
func makeCalendar(ctx context.Context, a *agenda.Agenda, set *agenda.Set, w Settings, dry bool) (Managed, error) {
	if w.Zone == "" {
		w.Zone = a.Zone().String()
	}
	there := ownedCalendar(set, *w.Name)
	switch {
	case there != nil:
		return Managed{Status: "unchanged", Calendar: managedRow(ctx, set, there), Note: "a calendar of that name was there already"}, nil
	case dry:
		return Managed{Status: "dry_run", Calendar: managedRow(ctx, set, w.apply(calendarapi.CalendarListEntry{AccessRole: "owner", Selected: true}, true))}, nil
	}
	if err := nameCalendar(ctx, a, w); err != nil {
		return Managed{}, err
	}
	title := "create calendar " + *w.Name
	undo, err := keepChange(ctx, a, title, keptCalendar{Did: Create, Name: *w.Name})
	if err != nil {
		return Managed{}, err
	}
	id, err := insertCalendar(ctx, a, w)
	if err != nil {
		return Managed{}, stopped(ctx, a, undo, false, fmt.Errorf("create calendar: %w", err))
	}
	if err := a.Undos().Amend(ctx, undo, title, keptCalendar{Did: Create, ID: id, Name: *w.Name}); err != nil {
		return Managed{}, err
	}
	out := Managed{Status: "created", Undo: undo}
	looks := Settings{Color: w.Color, Hidden: w.Hidden}
	if patch, some := looks.entryPatch(&calendarapi.CalendarListEntry{}, true); some {
		if _, err := a.API.CalendarList.Patch(id, patch).Context(ctx).Do(); err != nil {
			out.Note = "it is there, but its color and hidden are not set: " + said(err)
		}
	}
	out, err = asItIs(ctx, a, out, id)
	keepLeft(ctx, a, undo, title, keptCalendar{Did: Create, ID: id, Name: *w.Name})
	return out, err
}

// nameCalendar records that the new name may contain untrusted text, if the session has
// read untrusted content.
func nameCalendar(ctx context.Context, a *agenda.Agenda, w Settings) error {
	if w.Name == nil {
		return nil
	}
	return a.NamesOf().Give(ctx, a.Account.Key(), false, htmltext.Line(*w.Name))
}

// insertCalendar makes the calendar and returns its id.
func insertCalendar(ctx context.Context, a *agenda.Agenda, w Settings) (id string, err error) {
	patch, _ := w.calendarPatch()
	made, err := a.API.Calendars.Insert(patch).Context(ctx).Do()
	if err == nil {
		return made.Id, nil
	}
	asked := Settings{Name: w.Name, Description: w.Description, Zone: w.Zone}
	found, ok := settled(ctx, a, err, func(s *agenda.Set) *calendarapi.CalendarListEntry {
		if e := ownedCalendar(s, *w.Name); e != nil && asked.has(e, true) {
			return e
		}
		return nil
	})
	if !ok {
		return "", err
	}
	return found.Id, nil
}

// ownedCalendar returns the user's own calendar with that name, or nil.
func ownedCalendar(s *agenda.Set, name string) *calendarapi.CalendarListEntry {
	name = agenda.Title(&calendarapi.CalendarListEntry{Summary: name})
	for _, e := range s.List {
		if agenda.IsOwned(e) && !e.Primary && agenda.Title(e) == name {
			return e
		}
	}
	return nil
}

// changeCalendar changes a calendar, or how the user sees it.
func changeCalendar(ctx context.Context, a *agenda.Agenda, set *agenda.Set, of *calendarapi.CalendarListEntry, w Settings, dry bool) (Managed, error) {
	own := agenda.IsOwned(of)
	if !own && (w.Description != nil || w.Zone != "") {
		return Managed{}, metadata.Errorf(metadata.Refused, "the calendar is somebody else's, and its description and time zone are as well").
			WithHint("Ask its owner, or set name, color and hidden, which are the user's own.")
	}
	out := Managed{Status: "updated", Before: managedRow(ctx, set, of), Calendar: managedRow(ctx, set, w.apply(*of, own))}
	switch {
	case w.has(of, own):
		return Managed{Status: "unchanged", Calendar: managedRow(ctx, set, of), Note: "it is so already"}, nil
	case dry:
		out.Status = "dry_run"
		return out, nil
	}
	if err := maySetCalendar(ctx, of, w); err != nil {
		return Managed{}, err
	}
	if err := nameCalendar(ctx, a, w); err != nil {
		return Managed{}, err
	}
	undo, err := keepChange(ctx, a, "change calendar "+agenda.Title(of), keptCalendar{Did: Update, ID: of.Id, Before: of, After: w.apply(*of, own)})
	if err != nil {
		return Managed{}, err
	}
	some, err := setCalendar(ctx, a, of, w, own)
	if err != nil {
		if _, done := settled(ctx, a, err, isAsked(of.Id, w, own)); !done {
			return Managed{}, stopped(ctx, a, undo, some, fmt.Errorf("change calendar: %w", err))
		}
	}
	out.Undo = undo
	return asItIs(ctx, a, out, of.Id)
}

// maySetCalendar asks whether the shared properties of a calendar may change. Even people
// who may not read its events see its name.
func maySetCalendar(ctx context.Context, of *calendarapi.CalendarListEntry, w Settings) error {
	if !agenda.IsOwned(of) {
		return nil
	}
	lines := []bundles.Line{{Name: "Calendar", Text: htmltext.Line(agenda.Title(of))}}
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
	return bundles.ConfirmSend(ctx, bundles.Outgoing{What: "change of a calendar", People: []string{agenda.Sharers}, Lines: lines})
}

// setCalendar changes a calendar that is still as it was read. It first changes how the
// user sees it. With an error, some reports whether a part was done.
func setCalendar(ctx context.Context, a *agenda.Agenda, of *calendarapi.CalendarListEntry, w Settings, own bool) (some bool, err error) {
	looks, some := w.entryPatch(of, own)
	if some {
		ask := a.API.CalendarList.Patch(of.Id, looks).Context(ctx)
		ask.Header().Set("If-Match", of.Etag)
		if _, err := ask.Do(); err != nil {
			return false, err
		}
	}
	patch, more := w.calendarPatch()
	if !more || !own {
		return some, nil
	}
	is, err := a.API.Calendars.Get(of.Id).Context(ctx).Do()
	if err != nil {
		return some, err
	}
	if is.Summary != of.Summary || is.Description != of.Description || is.TimeZone != of.TimeZone {
		untrusted.PartlyUntrusted(ctx, untrusted.Event) // somebody else may have chosen its name
		return some, metadata.Errorf(metadata.Conflict, "somebody changed the calendar meanwhile: it is called %q now", agenda.Title(&calendarapi.CalendarListEntry{Summary: is.Summary})).
			WithHint("Look at it with calendar_list_calendars, then repeat the change.")
	}
	ask := a.API.Calendars.Patch(of.Id, patch).Context(ctx)
	ask.Header().Set("If-Match", is.Etag)
	_, err = ask.Do()
	return some, err
}

// stopped returns the error of a change that was not made, or only in part. The part that
// was done, or may have been, can be undone.
func stopped(ctx context.Context, a *agenda.Agenda, undo string, some bool, why error) error {
	switch {
	case metadata.CodeOf(why) == metadata.OutcomeUnknown:
		return a.Undos().Unknown(undo, why)
	case !some:
		return a.Undos().Drop(ctx, undo, why)
	}
	e := metadata.Errorf(metadata.CodeOf(why), "only a part was done: %s", said(why))
	e.Cause = why
	return e.WithHint("calendar_undo {\"undo_id\": %q} takes back that part; the same call again does the rest.", undo)
}
