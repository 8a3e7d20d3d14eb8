package calendar

import (
	"context"
	"fmt"

	"kota/metadata"
)

// undoCalendar is the kind of change of a calendar itself, or of how the user
// sees it.
const undoCalendar = "calendar"

// keptCalendar is what is kept of it.
type keptCalendar struct {
	Did    string `json:"did"` // the operation
	ID     string `json:"id,omitempty"`
	Name   string `json:"name,omitempty"`   // of one that was created
	Before *entry `json:"before,omitempty"` // of update, unsubscribe and delete
	After  *entry `json:"after,omitempty"`  // of update
}

// keepCalendar is what is kept of a change from the one to the other.
func keepCalendar(before, after *entry) keptCalendar {
	return keptCalendar{Did: updateCalendar, ID: before.Id, Before: before, After: after}
}

// keep keeps what was before a change, and returns the id that undoes it.
func (a *agenda) keep(ctx context.Context, title string, k keptCalendar) (string, error) {
	return a.undos().Save(ctx, a.account.Key(), title, undoCalendar, k)
}

// undoCalendar takes back a change of a calendar: of one that was created only
// while nothing is in it.
func (a *agenda) undoCalendar(ctx context.Context, _ string, k keptCalendar) (putBack, error) {
	defer a.forgetCalendars()
	set, err := a.readCalendars(ctx)
	if err != nil {
		return putBack{}, err
	}
	is := k.find(set)
	switch {
	case k.Did == createCalendar && k.ID == "":
		return putBack{Note: "there is no calendar of that name"}, unknownWhose(set.owned(k.Name))
	case k.Did == deleteCalendar && is == nil:
		return a.calendarAgain(ctx, set, k.Before)
	case (k.Did == unsubscribe || k.Did == deleteCalendar) && is != nil, is == nil && k.Did != unsubscribe && k.Did != updateCalendar:
		return putBack{Note: "it was as before already"}, nil
	case k.Did == unsubscribe:
		return putBack{}, a.listAgain(ctx, k.Before)
	case k.Did == subscribe:
		return putBack{}, gone(a.api.CalendarList.Delete(k.ID).Context(ctx).Do())
	case k.Did == createCalendar:
		return putBack{}, a.undoCreate(ctx, is)
	case is == nil:
		return putBack{}, metadata.Errorf(metadata.Conflict, "the calendar is not on the user's list any more").
			WithHint("Nothing is left to do.")
	}
	return a.undoChange(ctx, is, k)
}

// find returns the calendar that the change was about, nil when there is none.
func (k keptCalendar) find(set *calendarSet) *entry {
	for _, e := range set.list {
		if e.Id == k.ID {
			return e
		}
	}
	return nil
}

// unknownWhose is the error of taking back that a calendar was created, of which
// nothing is known but the name, where there is one: the user may have made it
// meanwhile.
func unknownWhose(there *entry) error {
	if there == nil {
		return nil
	}
	return metadata.Errorf(metadata.OutcomeUnknown, "there is a calendar %q, and it is not known whether that call made it: nothing was done", titleOf(there)).
		WithHint("Ask the user. calendar_manage_calendar {\"operation\": \"delete\", \"calendar\": %q} deletes it while it is empty.", there.Id)
}

// listAgain puts a calendar back on the list as it was there.
func (a *agenda) listAgain(ctx context.Context, was *entry) error {
	if err := a.maySubscribe(ctx, was); err != nil {
		return err
	}
	again := &entry{
		Id: was.Id, ColorId: was.ColorId, Selected: was.Selected, Hidden: was.Hidden, SummaryOverride: was.SummaryOverride,
		DefaultReminders: was.DefaultReminders, NotificationSettings: was.NotificationSettings, ForceSendFields: []string{"Selected"},
	}
	if _, err := a.api.CalendarList.Insert(again).Context(ctx).Do(); err != nil {
		return notShared(err, was.Id)
	}
	return nil
}

// undoCreate deletes a calendar that is empty.
func (a *agenda) undoCreate(ctx context.Context, is *entry) error {
	events, err := a.eventsIn(ctx, is.Id)
	if err != nil {
		return err
	}
	if events > 0 {
		return metadata.Errorf(metadata.Conflict, "the calendar %q has %s now", titleOf(is), counted(events, "event", "events")).
			WithHint("Undoing would lose them for good. The user can delete the calendar in Google Calendar.")
	}
	return gone(a.api.Calendars.Delete(is.Id).Context(ctx).Do())
}

// undoChange gives a calendar back what a change found, but for what somebody
// has changed since.
func (a *agenda) undoChange(ctx context.Context, is *entry, k keptCalendar) (putBack, error) {
	var w wish
	var kept []string
	back := func(field, before, after, now string, set func()) {
		switch {
		case before == after || now == before:
		case now != after:
			kept = append(kept, field)
		default:
			set()
		}
	}
	b, own := k.Before, isOwned(is)
	back("color", b.ColorId, k.After.ColorId, is.ColorId, func() { w.color = b.ColorId })
	back("hidden", flag(isHidden(b)), flag(isHidden(k.After)), flag(isHidden(is)), func() { hidden := isHidden(b); w.hidden = &hidden })
	if own {
		back("name", b.Summary, k.After.Summary, is.Summary, func() { w.name = &b.Summary })
		back("description", b.Description, k.After.Description, is.Description, func() { w.description = &b.Description })
		back("timezone", b.TimeZone, k.After.TimeZone, is.TimeZone, func() { w.zone = b.TimeZone })
	} else {
		name := titleOf(b)
		back("name", name, titleOf(k.After), titleOf(is), func() { w.name = &name })
	}
	note := ""
	if len(kept) > 0 {
		note = "left as somebody has set it since: " + listed(kept)
	}
	if w == (wish{}) {
		return putBack{Note: note}, nil
	}
	if err := maySetCalendar(ctx, is, w); err != nil {
		return putBack{}, err
	}
	if _, err := a.setCalendar(ctx, is, w, own); err != nil {
		return putBack{}, fmt.Errorf("put the calendar back: %w", err)
	}
	return putBack{Note: note}, nil
}

// isHidden reports whether the calendar is not shown.
func isHidden(e *entry) bool { return e.Hidden || !e.Selected }

func flag(set bool) string {
	if set {
		return "yes"
	}
	return ""
}

// gone is the error of taking away what may be gone already.
func gone(err error) error {
	if err == nil || metadata.CodeOf(err) == metadata.NotFound {
		return nil
	}
	return err
}
