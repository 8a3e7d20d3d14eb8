package calendars

import (
	"cmp"
	"context"
	"fmt"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/undoevent"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// UndoKind is the kind of the undo records of changes of calendars and of the user's list
// of calendars.
const UndoKind = "calendar"

// A calendarRecord is the undo record of a change of a calendar or of the user's list.
type calendarRecord struct {
	Operation string                         `json:"did"`
	ID        string                         `json:"id,omitempty"`
	Name      string                         `json:"name,omitempty"`   // set only by create
	Before    *calendarapi.CalendarListEntry `json:"before,omitempty"` // state before the change; set by update, unsubscribe and delete
	After     *calendarapi.CalendarListEntry `json:"after,omitempty"`  // state after the change; set by update, create and subscribe
}

// saveChange stores the undo record of a change and returns its id.
func saveChange(ctx context.Context, a *agenda.Agenda, title string, k calendarRecord) (string, error) {
	return a.Undos().Save(ctx, a.Account.Key(), title, UndoKind, k)
}

// recordState adds the state of a calendar after a change to the undo record. Without that
// state, an undo assumes that somebody has changed the calendar since.
func recordState(ctx context.Context, a *agenda.Agenda, undo, title string, k calendarRecord) {
	set, err := a.Calendars(ctx)
	if err != nil {
		return
	}
	if k.After = set.WithID(k.ID); k.After != nil {
		_ = a.Undos().Amend(ctx, undo, title, k)
	}
}

// Undo reverts a change of a calendar. If the change created the calendar, Undo deletes it
// only if it is empty.
func Undo(ctx context.Context, a *agenda.Agenda, r persist.UndoAttempt, k calendarRecord) (undoevent.Result, error) {
	defer a.ForgetCalendars()
	set, err := a.ReadCalendars(ctx)
	if err != nil {
		return undoevent.Result{}, err
	}
	current := k.find(set)
	switch {
	case k.Operation == Create && k.ID == "":
		return undoevent.Result{Note: "there is no calendar of that name"}, errUnknownOrigin(ownedCalendar(set, k.Name))
	case k.Operation == Delete && current == nil:
		return recreate(ctx, a, set, k.Before)
	case (k.Operation == Unsubscribe || k.Operation == Delete) && current != nil, current == nil && k.Operation != Unsubscribe && k.Operation != Update:
		return undoevent.Result{Note: "nothing was changed: this is already undone"}, nil
	case k.Operation == Unsubscribe:
		return undoevent.Result{}, restoreEntry(ctx, a, k.Before)
	case k.Operation == Subscribe:
		return revertSubscribe(ctx, a, r, current, k)
	case k.Operation == Create:
		return revertCreateCalendar(ctx, a, r, current, k)
	case current == nil:
		return undoevent.Result{}, metadata.Errorf(metadata.Conflict, "the calendar is no longer on the user's list").
			WithHint("There is nothing to do.")
	}
	return revertChange(ctx, a, r, current, k)
}

// find returns the calendar of the record in the set, or nil.
func (k calendarRecord) find(set *agenda.Set) *calendarapi.CalendarListEntry {
	for _, e := range set.List {
		if e.Id == k.ID {
			return e
		}
	}
	return nil
}

// errUnknownOrigin returns the error of undoing a creation if the id of the created
// calendar is unknown. existing is a calendar with the same name, which the user may have
// created. If existing is nil, errUnknownOrigin returns nil.
func errUnknownOrigin(existing *calendarapi.CalendarListEntry) error {
	if existing == nil {
		return nil
	}
	return metadata.Errorf(metadata.OutcomeUnknown, "there is a calendar %q, and it is unknown whether that call created it: nothing was done", agenda.Title(existing)).
		WithHint("Ask the user. calendar_manage_calendar {\"operation\": \"delete\", \"calendar\": %q} deletes it while it is empty.", existing.Id)
}

// restoreEntry restores a calendar's entry on the user's list.
func restoreEntry(ctx context.Context, a *agenda.Agenda, was *calendarapi.CalendarListEntry) error {
	if err := a.ConfirmSubscribe(ctx, was); err != nil {
		return err
	}
	again := &calendarapi.CalendarListEntry{
		Id: was.Id, ColorId: was.ColorId, Selected: was.Selected, Hidden: was.Hidden, SummaryOverride: was.SummaryOverride,
		DefaultReminders: was.DefaultReminders, NotificationSettings: was.NotificationSettings, ForceSendFields: []string{"Selected"},
	}
	if _, err := a.API.CalendarList.Insert(again).Context(ctx).Do(); err != nil {
		return errNotShared(err, was.Id)
	}
	return nil
}

// revertCreateCalendar deletes a created calendar if it is empty.
func revertCreateCalendar(ctx context.Context, a *agenda.Agenda, r persist.UndoAttempt, current *calendarapi.CalendarListEntry, k calendarRecord) (undoevent.Result, error) {
	events, err := countEvents(ctx, a, current.Id)
	if err != nil {
		return undoevent.Result{}, err
	}
	if events > 0 {
		return undoevent.Result{}, metadata.Errorf(metadata.Conflict, "the calendar %q has %s now", agenda.Title(current), eventtext.Counted(events, "event", "events")).
			WithHint("Undoing would lose them for good. The user can delete the calendar in Google Calendar.")
	}
	back, err := saveChangedState(ctx, a, r, current, k, Delete)
	if err != nil {
		return undoevent.Result{}, err
	}
	return back, ignoreNotFound(a.API.Calendars.Delete(current.Id).Context(ctx).Do())
}

// revertSubscribe removes a calendar from the user's list again.
func revertSubscribe(ctx context.Context, a *agenda.Agenda, r persist.UndoAttempt, current *calendarapi.CalendarListEntry, k calendarRecord) (undoevent.Result, error) {
	back, err := saveChangedState(ctx, a, r, current, k, Unsubscribe)
	if err != nil {
		return undoevent.Result{}, err
	}
	return back, ignoreNotFound(a.API.CalendarList.Delete(k.ID).Context(ctx).Do())
}

// saveChangedState does nothing if nobody changed the calendar since KOTA's change.
// Otherwise it returns CONFLICT, unless the call allows overwriting. With overwriting it
// stores the current state as the undo record of operation, so that the undo can itself be
// undone.
func saveChangedState(ctx context.Context, a *agenda.Agenda, r persist.UndoAttempt, current *calendarapi.CalendarListEntry, k calendarRecord, operation string) (undoevent.Result, error) {
	var changed []metadata.Problem
	for _, f := range fieldsOfCalendar(&calendarapi.CalendarListEntry{}, cmp.Or(k.After, &calendarapi.CalendarListEntry{}), current) {
		if f.Now != f.After {
			changed = append(changed, persist.ChangedProblem(f.Name, cmp.Or(f.Words, f.Now)))
		}
	}
	if len(changed) == 0 {
		return undoevent.Result{}, nil
	}
	if err := r.ConflictUnlessOverwrite("the calendar was changed since then", changed...); err != nil {
		return undoevent.Result{}, err
	}
	undo, err := saveChange(ctx, a, operation+" calendar "+agenda.Title(current), calendarRecord{Operation: operation, ID: current.Id, Before: current})
	if err != nil {
		return undoevent.Result{}, err
	}
	return undoevent.Result{Note: bundles.WithoutHiddenTools(ctx, "calendar_undo brings it back as it was changed") + " with undo_id " + undo}, nil
}

// revertChange restores the properties of a calendar from before a change.
func revertChange(ctx context.Context, a *agenda.Agenda, r persist.UndoAttempt, current *calendarapi.CalendarListEntry, k calendarRecord) (undoevent.Result, error) {
	var w Settings
	b, owned := k.Before, agenda.IsOwned(current)
	name, hidden := agenda.Title(b), isHidden(b)
	if owned {
		name = b.Summary
	}
	fields := fieldsOfCalendar(b, cmp.Or(k.After, &calendarapi.CalendarListEntry{}), current)
	for i, restore := range []func(){
		func() { w.Name = &name }, func() { w.Color = b.ColorId }, func() { w.Hidden = &hidden },
		func() { w.Description = &b.Description }, func() { w.Zone = b.TimeZone },
	} {
		fields[i].Restore = restore
	}
	if !owned {
		fields = fields[:3]
	}
	if err := r.Restore(fields...); err != nil || w == (Settings{}) {
		return undoevent.Result{}, err
	}
	if err := confirmSetCalendar(ctx, current, w); err != nil {
		return undoevent.Result{}, err
	}
	if _, err := setCalendar(ctx, a, current, w, owned); err != nil {
		return undoevent.Result{}, fmt.Errorf("restore the calendar: %w", err)
	}
	return undoevent.Result{}, nil
}

// fieldsOfCalendar returns the fields that users can change: name, color and hidden, then
// those that only the owner can change.
func fieldsOfCalendar(before, after, now *calendarapi.CalendarListEntry) []persist.Field {
	name := agenda.Title
	if agenda.IsOwned(now) {
		name = func(e *calendarapi.CalendarListEntry) string { return e.Summary }
	}
	field := func(label string, value func(*calendarapi.CalendarListEntry) string) persist.Field {
		return persist.Field{Name: label, Before: value(before), After: value(after), Now: value(now)}
	}
	fields := []persist.Field{
		field("name", name), field("color", func(e *calendarapi.CalendarListEntry) string { return e.ColorId }), field("hidden", func(e *calendarapi.CalendarListEntry) string { return yesOrEmpty(isHidden(e)) }),
		field("description", func(e *calendarapi.CalendarListEntry) string { return e.Description }), field("timezone", func(e *calendarapi.CalendarListEntry) string { return e.TimeZone }),
	}
	fields[1].Words = calendarColorOf(now)
	return fields
}

// isHidden reports whether the calendar is not shown.
func isHidden(e *calendarapi.CalendarListEntry) bool { return e.Hidden || !e.Selected }

func yesOrEmpty(set bool) string {
	if set {
		return "yes"
	}
	return ""
}

// ignoreNotFound returns err, or nil if err means that the calendar was already gone.
func ignoreNotFound(err error) error {
	if err == nil || metadata.CodeOf(err) == metadata.NotFound {
		return nil
	}
	return err
}
