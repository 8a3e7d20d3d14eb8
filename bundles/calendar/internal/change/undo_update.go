package change

import (
	"context"
	"fmt"
	"slices"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/calendar/internal/undoevent"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// KindUpdate is the kind of the undo records of changed fields.
const KindUpdate = "update"

// An updateRecord is the undo record of a change: the changed fields before and after,
// without empty ones.
type updateRecord struct {
	Calendar        string               `json:"calendar"` // id of the calendar
	Event           string               `json:"event"`
	Notify          string               `json:"notify,omitempty"` // which guests were mailed
	Fields          []string             `json:"fields"`
	Before          event.Fields         `json:"before"`
	After           event.Fields         `json:"after"`
	ResetExceptions []*calendarapi.Event `json:"gone,omitempty"` // exceptions that the change reset, as they were before
}

// setFields records the values of the fields in a patch, from the versions before and
// after the change.
func (k *updateRecord) setFields(was, is *calendarapi.Event, patch event.Fields) error {
	before, err := event.FieldsOf(was)
	if err != nil {
		return err
	}
	after, err := event.FieldsOf(is)
	if err != nil {
		return err
	}
	k.Fields = patch.Names()
	k.Before, k.After = before.Only(k.Fields), after.Only(k.Fields)
	return nil
}

// title returns the title of the change in the list of undos.
func (k *updateRecord) title(e *calendarapi.Event) string {
	patch := event.Fields{}
	for _, name := range k.Fields {
		patch[name] = nil
	}
	return fmt.Sprintf("change %s of %q", strings.Join(patch.ArgumentNames(), ", "), htmltext.Line(e.Summary))
}

// UndoUpdate restores the earlier values of an event. It removes guests that the change
// added, and adds guests that the change removed. All other guests keep their present
// answers.
func UndoUpdate(ctx context.Context, a *agenda.Agenda, attempt persist.UndoAttempt, k updateRecord) (undoevent.Result, error) {
	t, now, err := undoevent.ReadTarget(ctx, a, k.Calendar, k.Event)
	if err != nil {
		return undoevent.Result{}, err
	}
	if now.Status == event.Cancelled {
		return undoevent.Result{}, eventwrite.ErrDeleted(k.Event)
	}
	is, err := event.FieldsOf(now)
	if err != nil {
		return undoevent.Result{}, err
	}
	if changed := k.changedSince(is); len(changed) > 0 {
		if err := k.checkConflict(ctx, attempt, t, now, changed); err != nil {
			return undoevent.Result{}, err
		}
	}
	r := revision{target: t, was: now, notify: k.Notify, strict: true, apply: func(e *calendarapi.Event) error { return k.restore(e) }}
	wanted, patch, err := r.plan(now)
	switch {
	case err != nil:
		return undoevent.Result{}, err
	case len(patch) == 0 && len(k.ResetExceptions) == 0:
		return undoevent.Result{Event: t.Row(ctx, now), Note: "nothing was changed: the event already has its old values"}, nil
	}
	p := &proposal{revision: r, wanted: wanted, patch: patch, restoredExceptions: k.ResetExceptions}
	people, err := undoAudience(ctx, a, t, k, p)
	if err != nil {
		return undoevent.Result{}, err
	}
	outgoing, err := p.outgoing(event.Union(people, t.Sharers))
	if err != nil {
		return undoevent.Result{}, err
	}
	if err := eventtext.ConfirmReach(ctx, outgoing, now); err != nil {
		return undoevent.Result{}, err
	}
	if len(patch) == 0 { // an earlier undo restored the fields, but not all exceptions
		return undoevent.Result{Event: t.Row(ctx, now), Note: restoreExceptions(ctx, a, t.Calendar.Id, k.ResetExceptions)}, nil
	}
	if event.SendsMail(k.Notify) {
		r.notified = people
	}
	got, err := sendRevision(ctx, a, r, now, patch)
	if err != nil {
		return undoevent.Result{}, err
	}
	return undoevent.Result{Event: t.Row(ctx, got), Note: restoreExceptions(ctx, a, t.Calendar.Id, k.ResetExceptions)}, nil
}

// undoAudience returns the addresses of the people who can see the changes that an undo
// makes. For a series these include the guests of the exceptions that show the changes, and
// of those that the undo restores. undoAudience also sets p.reachedExceptions.
func undoAudience(ctx context.Context, a *agenda.Agenda, t *series.Target, k updateRecord, p *proposal) ([]string, error) {
	people := event.Audience(p.patch, p.was, p.wanted)
	if len(k.ResetExceptions) > 0 {
		people = event.Union(event.Audience(event.Fields{"recurrence": nil}, p.was, p.wanted), event.AddressesOfAll(k.ResetExceptions))
	}
	if len(p.was.Recurrence) == 0 {
		return people, nil
	}
	var err error
	p.reachedExceptions, err = exceptionsReached(ctx, a, p.patch, &series.Target{Calendar: t.Calendar, Zone: t.Zone, Series: p.was}, nil)
	return event.Union(people, event.AddressesOfAll(p.reachedExceptions)), err
}

// changedSince returns the fields whose value is neither the one before nor the one after
// the change. It ignores guests, and the video call, which Google may have made meanwhile.
func (k *updateRecord) changedSince(is event.Fields) []string {
	return slices.DeleteFunc(slices.Clone(k.Fields), func(name string) bool {
		return name == "attendees" || name == "conferenceData" || event.SameValue(is[name], k.Before[name]) || event.SameValue(is[name], k.After[name])
	})
}

// restore sets the earlier values in the event.
func (k *updateRecord) restore(e *calendarapi.Event) error {
	is, err := event.FieldsOf(e)
	if err != nil {
		return err
	}
	for _, name := range k.Fields {
		value, existed := k.Before[name]
		switch {
		case name == "attendees":
			continue
		case existed:
			is[name] = value
		default:
			delete(is, name)
		}
	}
	restored, err := is.Event()
	if err != nil {
		return err
	}
	if slices.Contains(k.Fields, "attendees") {
		if restored.Attendees, err = k.restoreGuests(e); err != nil {
			return err
		}
	}
	*e = *restored
	return nil
}

func (k *updateRecord) restoreGuests(now *calendarapi.Event) ([]*calendarapi.EventAttendee, error) {
	before, err := k.Before.Event()
	if err != nil {
		return nil, err
	}
	after, err := k.After.Event()
	if err != nil {
		return nil, err
	}
	restored := slices.DeleteFunc(slices.Clone(now.Attendees), func(one *calendarapi.EventAttendee) bool {
		return event.FindGuest(after.Attendees, one.Email) != nil && event.FindGuest(before.Attendees, one.Email) == nil
	})
	for _, one := range before.Attendees {
		if event.FindGuest(after.Attendees, one.Email) == nil && event.FindGuest(restored, one.Email) == nil {
			restored = append(restored, one)
		}
	}
	return restored, nil
}

// checkConflict returns CONFLICT for fields that somebody has changed since, or nil if
// the call may overwrite them. It taints the session if the event contains untrusted
// content.
func (k *updateRecord) checkConflict(ctx context.Context, attempt persist.UndoAttempt, t *series.Target, now *calendarapi.Event, changed []string) error {
	patch := event.Fields{}
	for _, name := range changed {
		patch[name] = nil
	}
	eventtext.Provenance(ctx, now, t.Calendar, "")
	before, err := k.Before.Event()
	if err != nil {
		return err
	}
	problems := []metadata.Problem{}
	for _, field := range patch.ArgumentNames() {
		problems = append(problems, metadata.Problem{Path: field, Expected: "as before: " + eventtext.ShortValue(field, before, t.Zone), Got: "now: " + eventtext.ShortValue(field, now, t.Zone)})
	}
	return attempt.ConflictUnlessOverwrite(strings.Join(patch.ArgumentNames(), ", ")+" changed again since then", problems...)
}
