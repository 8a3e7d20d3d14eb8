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

// createCalendar creates a calendar, unless the user already owns one with that name.
func createCalendar(ctx context.Context, a *agenda.Agenda, set *agenda.Set, w Settings, dryRun bool) (Result, error) {
	if w.Zone == "" {
		w.Zone = a.Zone().String()
	}
	existing := ownedCalendar(set, *w.Name)
	switch {
	case existing != nil:
		return Result{Status: "unchanged", Calendar: resultRow(ctx, set, existing), Note: "a calendar of that name already existed"}, nil
	case dryRun:
		return Result{Status: "dry_run", Calendar: resultRow(ctx, set, w.apply(calendarapi.CalendarListEntry{AccessRole: "owner", Selected: true}, true))}, nil
	}
	if err := recordName(ctx, a, w); err != nil {
		return Result{}, err
	}
	title := "create calendar " + *w.Name
	undo, err := saveChange(ctx, a, title, calendarRecord{Operation: Create, Name: *w.Name})
	if err != nil {
		return Result{}, err
	}
	id, err := insertCalendar(ctx, a, w)
	if err != nil {
		return Result{}, errIncomplete(ctx, a, undo, false, fmt.Errorf("create calendar: %w", err))
	}
	if err := a.Undos().Amend(ctx, undo, title, calendarRecord{Operation: Create, ID: id, Name: *w.Name}); err != nil {
		return Result{}, err
	}
	out := Result{Status: "created", Undo: undo}
	entrySettings := Settings{Color: w.Color, Hidden: w.Hidden}
	if patch, changes := entrySettings.entryPatch(&calendarapi.CalendarListEntry{}, true); changes {
		if _, err := a.API.CalendarList.Patch(id, patch).Context(ctx).Do(); err != nil {
			out.Note = "it was created, but its color and hidden are not set: " + messageOf(err)
		}
	}
	out, err = withCurrentState(ctx, a, out, id)
	recordState(ctx, a, undo, title, calendarRecord{Operation: Create, ID: id, Name: *w.Name})
	return out, err
}

// recordName records that the new name may contain untrusted text, if the session is
// tainted.
func recordName(ctx context.Context, a *agenda.Agenda, w Settings) error {
	if w.Name == nil {
		return nil
	}
	return a.CalendarNames().Record(ctx, a.Account.Key(), false, htmltext.Line(*w.Name))
}

// insertCalendar creates the calendar in Google Calendar and returns its id.
func insertCalendar(ctx context.Context, a *agenda.Agenda, w Settings) (id string, err error) {
	patch, _ := w.calendarPatch()
	made, err := a.API.Calendars.Insert(patch).Context(ctx).Do()
	if err == nil {
		return made.Id, nil
	}
	requested := Settings{Name: w.Name, Description: w.Description, Zone: w.Zone}
	found, ok := resolveLost(ctx, a, err, func(s *agenda.Set) *calendarapi.CalendarListEntry {
		if e := ownedCalendar(s, *w.Name); e != nil && requested.matches(e, true) {
			return e
		}
		return nil
	})
	if !ok {
		return "", err
	}
	return found.Id, nil
}

// ownedCalendar returns the user's own calendar with that name, or nil. It ignores the
// primary calendar.
func ownedCalendar(s *agenda.Set, name string) *calendarapi.CalendarListEntry {
	name = agenda.Title(&calendarapi.CalendarListEntry{Summary: name})
	for _, e := range s.List {
		if agenda.IsOwned(e) && !e.Primary && agenda.Title(e) == name {
			return e
		}
	}
	return nil
}

// changeCalendar changes the shared and the personal settings of a calendar.
func changeCalendar(ctx context.Context, a *agenda.Agenda, set *agenda.Set, entry *calendarapi.CalendarListEntry, w Settings, dryRun bool) (Result, error) {
	owned := agenda.IsOwned(entry)
	if !owned && (w.Description != nil || w.Zone != "") {
		return Result{}, metadata.Errorf(metadata.Refused, "only the calendar's owner can change its description and time zone").
			WithHint("Ask the owner. The user can change name, color and hidden, for the user alone.")
	}
	out := Result{Status: "updated", Before: resultRow(ctx, set, entry), Calendar: resultRow(ctx, set, w.apply(*entry, owned))}
	switch {
	case w.matches(entry, owned):
		return Result{Status: "unchanged", Calendar: resultRow(ctx, set, entry), Note: "nothing was changed: the calendar already has these values"}, nil
	case dryRun:
		out.Status = "dry_run"
		return out, nil
	}
	if err := confirmSetCalendar(ctx, entry, w); err != nil {
		return Result{}, err
	}
	if err := recordName(ctx, a, w); err != nil {
		return Result{}, err
	}
	undo, err := saveChange(ctx, a, "change calendar "+agenda.Title(entry), calendarRecord{Operation: Update, ID: entry.Id, Before: entry, After: w.apply(*entry, owned)})
	if err != nil {
		return Result{}, err
	}
	partlyDone, err := setCalendar(ctx, a, entry, w, owned)
	if err != nil {
		if _, done := resolveLost(ctx, a, err, findAsRequested(entry.Id, w, owned)); !done {
			return Result{}, errIncomplete(ctx, a, undo, partlyDone, fmt.Errorf("change calendar: %w", err))
		}
	}
	out.Undo = undo
	return withCurrentState(ctx, a, out, entry.Id)
}

// confirmSetCalendar asks the policy whether the shared properties of a calendar may
// change. Even people who may not read its events see its name.
func confirmSetCalendar(ctx context.Context, entry *calendarapi.CalendarListEntry, w Settings) error {
	if !agenda.IsOwned(entry) {
		return nil
	}
	lines := []bundles.Line{{Name: "Calendar", Text: htmltext.Line(agenda.Title(entry))}}
	for _, set := range []struct{ name, was, is string }{
		{"name", entry.Summary, w.apply(*entry, true).Summary},
		{"description", entry.Description, w.apply(*entry, true).Description},
		{"timezone", entry.TimeZone, w.apply(*entry, true).TimeZone},
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

// setCalendar changes a calendar: first the personal settings, then the shared ones. It
// fails if somebody else changed the calendar since it was read. If it returns an error,
// partlyDone reports whether a part was done.
func setCalendar(ctx context.Context, a *agenda.Agenda, entry *calendarapi.CalendarListEntry, w Settings, owned bool) (partlyDone bool, err error) {
	entryPatch, partlyDone := w.entryPatch(entry, owned)
	if partlyDone {
		request := a.API.CalendarList.Patch(entry.Id, entryPatch).Context(ctx)
		request.Header().Set("If-Match", entry.Etag)
		if _, err := request.Do(); err != nil {
			return false, err
		}
	}
	patch, more := w.calendarPatch()
	if !more || !owned {
		return partlyDone, nil
	}
	current, err := a.API.Calendars.Get(entry.Id).Context(ctx).Do()
	if err != nil {
		return partlyDone, err
	}
	if current.Summary != entry.Summary || current.Description != entry.Description || current.TimeZone != entry.TimeZone {
		untrusted.MarkPartly(ctx, untrusted.Event) // somebody else may have chosen its name
		return partlyDone, metadata.Errorf(metadata.Conflict, "somebody changed the calendar at the same time: its name is %q now", agenda.Title(&calendarapi.CalendarListEntry{Summary: current.Summary})).
			WithHint("Read it with calendar_list_calendars, then repeat the change.")
	}
	request := a.API.Calendars.Patch(entry.Id, patch).Context(ctx)
	request.Header().Set("If-Match", current.Etag)
	_, err = request.Do()
	return partlyDone, err
}

// errIncomplete returns the error of a change that failed or was made only in part. The
// undo record stays if a part was done or may have been done.
func errIncomplete(ctx context.Context, a *agenda.Agenda, undo string, partlyDone bool, cause error) error {
	switch {
	case metadata.CodeOf(cause) == metadata.OutcomeUnknown:
		return a.Undos().Unknown(undo, cause)
	case !partlyDone:
		return a.Undos().Drop(ctx, undo, cause)
	}
	e := metadata.Errorf(metadata.CodeOf(cause), "only a part was done: %s", messageOf(cause))
	e.Cause = cause
	return e.WithHint("calendar_undo {\"undo_id\": %q} undoes that part; the same call again does the rest.", undo)
}
