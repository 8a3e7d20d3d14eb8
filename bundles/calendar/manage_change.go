package calendar

import (
	"context"
	"fmt"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"kota/metadata"
)

// entryPatch is what the user sets of a calendar for himself: its colour, and
// whether it is shown.
func (w wish) entryPatch(own bool) (patch *entry, some bool) {
	patch = &entry{ColorId: w.color}
	if w.hidden != nil {
		patch.Selected, patch.Hidden = !*w.hidden, false
		patch.ForceSendFields = []string{"Selected"}
		if !*w.hidden {
			patch.ForceSendFields = append(patch.ForceSendFields, "Hidden")
		}
	}
	if w.name != nil && !own {
		patch.SummaryOverride = *w.name
	}
	return patch, patch.ColorId != "" || patch.SummaryOverride != "" || w.hidden != nil
}

// calendarPatch is what an owner sets of a calendar for everybody.
func (w wish) calendarPatch() (patch *calendarapi.Calendar, some bool) {
	patch = &calendarapi.Calendar{TimeZone: w.zone}
	if w.name != nil {
		patch.Summary = *w.name
	}
	if w.description != nil {
		patch.Description, patch.ForceSendFields = *w.description, []string{"Description"}
	}
	return patch, w.name != nil || w.description != nil || w.zone != ""
}

// apply is the entry as it would be.
func (w wish) apply(of entry, own bool) *entry {
	patch, _ := w.entryPatch(own)
	if w.color != "" {
		of.ColorId = w.color
	}
	if w.hidden != nil {
		of.Selected, of.Hidden = patch.Selected, of.Hidden && *w.hidden
	}
	if w.name != nil && own {
		of.Summary, of.SummaryOverride = *w.name, ""
	} else if w.name != nil {
		of.SummaryOverride = *w.name
	}
	if w.description != nil && own {
		of.Description = *w.description
	}
	if w.zone != "" && own {
		of.TimeZone = w.zone
	}
	return &of
}

// has reports whether the entry is as it is wished already.
func (w wish) has(of *entry, own bool) bool {
	is := w.apply(*of, own)
	return is.ColorId == of.ColorId && is.Selected == of.Selected && is.Hidden == of.Hidden && titleOf(is) == titleOf(of) &&
		is.Description == of.Description && is.TimeZone == of.TimeZone
}

// createCalendar makes a calendar of the user's, unless there is one of that
// name.
func (a *agenda) createCalendar(ctx context.Context, set *calendarSet, w wish, dry bool) (manageCalendarOut, error) {
	zone := w.zone
	if zone == "" {
		zone = set.zone.String()
	}
	same := func(e *entry) bool { return isOwned(e) && titleOf(e) == titleOf(&entry{Summary: *w.name}) }
	for _, e := range set.list {
		if same(e) {
			return manageCalendarOut{Status: "unchanged", Calendar: set.row(e), Note: "a calendar of that name was there already"}, nil
		}
	}
	w.zone = zone
	if dry {
		return manageCalendarOut{Status: "dry_run", Calendar: set.row(w.apply(entry{AccessRole: "owner", Selected: true}, true))}, nil
	}
	undo, err := a.keep(ctx, "create calendar "+*w.name, keptCalendar{Did: createCalendar, Name: *w.name})
	if err != nil {
		return manageCalendarOut{}, err
	}
	patch, _ := w.calendarPatch()
	made, err := a.api.Calendars.Insert(patch).Context(ctx).Do()
	if err != nil {
		at, found := a.settled(ctx, err, func(s *calendarSet) *entry {
			for _, e := range s.list {
				if same(e) {
					return e
				}
			}
			return nil
		})
		if !found {
			return manageCalendarOut{}, a.undos().Failed(ctx, undo, fmt.Errorf("create calendar: %w", err))
		}
		made = &calendarapi.Calendar{Id: at.Id}
	}
	out := manageCalendarOut{Status: "created", Undo: undo}
	if err := a.undos().Amend(ctx, undo, "create calendar "+*w.name, keptCalendar{Did: createCalendar, ID: made.Id, Name: *w.name}); err != nil {
		return out, err
	}
	own := w
	own.name = nil
	if mine, some := own.entryPatch(true); some {
		if _, err := a.api.CalendarList.Patch(made.Id, mine).Context(ctx).Do(); err != nil {
			out.Note = "it is there, but without its color or hidden: " + said(err)
		}
	}
	return a.asItIs(ctx, out, made.Id)
}

// updateCalendar changes a calendar, or how the user sees it.
func (a *agenda) updateCalendar(ctx context.Context, of *entry, w wish, dry bool) (manageCalendarOut, error) {
	set, err := a.calendars(ctx)
	if err != nil {
		return manageCalendarOut{}, err
	}
	own := isOwned(of)
	if !own && (w.description != nil || w.zone != "") {
		return manageCalendarOut{}, metadata.Errorf(metadata.Refused, "the calendar is somebody else's, and its description and time zone are as well").
			WithHint("Ask its owner, or set name, color and hidden, which are the user's own.")
	}
	out := manageCalendarOut{Status: "updated", Before: set.row(of), Calendar: set.row(w.apply(*of, own))}
	switch {
	case w.has(of, own):
		return manageCalendarOut{Status: "unchanged", Calendar: set.row(of), Note: "it is so already"}, nil
	case dry:
		out.Status = "dry_run"
		return out, nil
	}
	out.Undo, err = a.keep(ctx, "change calendar "+titleOf(of), keepCalendar(of, w.apply(*of, own)))
	if err != nil {
		return manageCalendarOut{}, err
	}
	if err := a.setCalendar(ctx, of, w, own); err != nil {
		is, done := a.settled(ctx, err, func(s *calendarSet) *entry {
			if e := s.find(of.Id); e != nil && w.has(e, own) {
				return e
			}
			return nil
		})
		if !done {
			return manageCalendarOut{}, a.undos().Failed(ctx, out.Undo, fmt.Errorf("change calendar: %w", err))
		}
		out.Calendar = set.row(is)
	}
	return a.asItIs(ctx, out, of.Id)
}

// setCalendar makes the calendar what it is to be, if it is as it was read: the
// user's own settings first, whose etag changes with the calendar.
func (a *agenda) setCalendar(ctx context.Context, of *entry, w wish, own bool) error {
	if patch, some := w.entryPatch(own); some {
		ask := a.api.CalendarList.Patch(of.Id, patch).Context(ctx)
		ask.Header().Set("If-Match", of.Etag)
		if _, err := ask.Do(); err != nil {
			return err
		}
	}
	patch, some := w.calendarPatch()
	if !some || !own {
		return nil
	}
	is, err := a.api.Calendars.Get(of.Id).Context(ctx).Do()
	if err != nil {
		return err
	}
	if is.Summary != of.Summary || is.Description != of.Description || is.TimeZone != of.TimeZone {
		return metadata.Errorf(metadata.Conflict, "somebody changed the calendar meanwhile: it is called %q now", titleOf(&entry{Summary: is.Summary})).
			WithHint("Look at it with calendar_list_calendars, then repeat the change.")
	}
	ask := a.api.Calendars.Patch(of.Id, patch).Context(ctx)
	ask.Header().Set("If-Match", is.Etag)
	_, err = ask.Do()
	return err
}

// deleteCalendar takes a calendar from everybody.
func (a *agenda) deleteCalendar(ctx context.Context, of *entry, dry bool) (manageCalendarOut, error) {
	set, err := a.calendars(ctx)
	if err != nil {
		return manageCalendarOut{}, err
	}
	if !isOwned(of) {
		return manageCalendarOut{}, metadata.Errorf(metadata.Refused, "the calendar is somebody else's").
			WithHint("The operation unsubscribe takes it off the user's list.")
	}
	out := manageCalendarOut{Status: "deleted", Calendar: set.row(of)}
	if dry {
		out.Status, out.Note = "dry_run", "it would be gone for everybody, with its events, and cannot be brought back"
		n, more, err := a.countEvents(ctx, of.Id)
		if out.Events = &n; more {
			out.Note += "; there are more events than were counted"
		}
		return out, err
	}
	err = a.api.Calendars.Delete(of.Id).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		out.Note, err = "it was deleted already", nil
	}
	if err != nil {
		if _, gone := a.settled(ctx, err, isGoneFrom(of.Id)); !gone {
			return manageCalendarOut{}, fmt.Errorf("delete calendar: %w", err)
		}
	}
	return out, nil
}

// countEvents counts the events of a calendar, a series as one, as far as 10,000.
// It reports whether there are more.
func (a *agenda) countEvents(ctx context.Context, id string) (n int, more bool, err error) {
	const pages = 4
	ask := a.api.Events.List(id).MaxResults(2500).Fields("nextPageToken", googleapi.Field("items(id,recurringEventId)")).Context(ctx)
	for range pages {
		page, err := ask.Do()
		if err != nil {
			return n, false, fmt.Errorf("count events: %w", err)
		}
		for _, e := range page.Items {
			if e.RecurringEventId == "" {
				n++
			}
		}
		if page.NextPageToken == "" {
			return n, false, nil
		}
		ask.PageToken(page.NextPageToken)
	}
	return n, true, nil
}
