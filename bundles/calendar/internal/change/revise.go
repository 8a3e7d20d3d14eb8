package change

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// A revision is a change of one event.
type revision struct {
	target             *series.Target
	was                *calendarapi.Event             // the version that was read
	apply              func(*calendarapi.Event) error // makes the change in an event; it may run again on a newer version
	notify             string
	notified           []string             // the people to notify
	approvedPeople     []string             // people that the policy allows the change to reach; nil if the policy was not asked
	approvesWholeEvent bool                 // the approval covers the whole event, not only the change
	strict             bool                 // the caller gave an etag, so only that version is changed
	title              string               // title of the undo; "" means a title with the changed fields
	resetExceptions    []*calendarapi.Event // exceptions that the change resets
}

// A revisionResult is the result of a revision.
type revisionResult struct {
	before, after *calendarapi.Event
	patch         event.Fields // the patch that was sent; empty if nothing changed
	undo          string       // id of the undo record
}

// plan returns the changed event and the patch that produces it.
func (r revision) plan(was *calendarapi.Event) (wanted *calendarapi.Event, patch event.Fields, err error) {
	fields, err := event.FieldsOf(was)
	if err != nil {
		return nil, nil, err
	}
	wanted, err = fields.Event()
	if err != nil {
		return nil, nil, err
	}
	if err := r.apply(wanted); err != nil {
		return nil, nil, err
	}
	is, err := event.FieldsOf(wanted)
	if err != nil {
		return nil, nil, err
	}
	return wanted, fields.PatchTo(is), nil
}

// revise changes the event once and stores an undo record. If somebody else changed the
// event since it was read, reviseNewer decides whether the change is still made. revise
// does not send an empty change.
func revise(ctx context.Context, a *agenda.Agenda, r revision) (revisionResult, error) {
	wanted, patch, err := r.plan(r.was)
	if err != nil || len(patch) == 0 {
		return revisionResult{before: r.was, after: r.was}, err
	}
	record := updateRecord{Calendar: r.target.Calendar.Id, Event: r.was.Id, Notify: r.notify, ResetExceptions: r.resetExceptions}
	if err := record.setFields(r.was, wanted, patch); err != nil {
		return revisionResult{}, err
	}
	undo, err := a.Undos().Save(ctx, a.Account.Key(), r.undoTitle(record), KindUpdate, record)
	if err != nil {
		return revisionResult{}, err
	}
	was := r.was
	got, err := sendRevision(ctx, a, r, was, patch)
	if changed := (*eventwrite.ChangedError)(nil); errors.As(err, &changed) {
		was = changed.Now
		got, patch, err = reviseNewer(ctx, a, r, wanted, patch, was)
	}
	if err != nil || len(patch) == 0 {
		return revisionResult{before: was, after: was}, a.Undos().Failed(ctx, undo, err)
	}
	if _, requested := patch["conferenceData"]; requested {
		got = a.AwaitMeet(ctx, r.target.Calendar.Id, got)
	}
	if record.setFields(was, got, patch) == nil {
		// The change is made. If Amend fails, the record of the planned change is good
		// enough.
		_ = a.Undos().Amend(ctx, undo, r.undoTitle(record), record)
	}
	return revisionResult{before: was, after: got, patch: patch, undo: undo}, nil
}

// undoTitle returns the title of the change in the list of undos.
func (r revision) undoTitle(k updateRecord) string {
	if r.title != "" {
		return r.title
	}
	return k.title(r.was)
}

// reviseNewer makes the change in now, a newer version by somebody else. It returns
// CONFLICT if that would overwrite the other change, or if r is strict. It also returns
// CONFLICT if the change would now go beyond what the user approved.
func reviseNewer(ctx context.Context, a *agenda.Agenda, r revision, wanted *calendarapi.Event, patch event.Fields, now *calendarapi.Event) (*calendarapi.Event, event.Fields, error) {
	overwritten, err := overwrittenFields(r.was, now, wanted, patch)
	if err != nil {
		return nil, nil, err
	}
	if r.strict || len(overwritten) > 0 {
		return nil, nil, r.errConflict(ctx, now, wanted, patch)
	}
	again, patch, err := r.plan(now)
	if err != nil || len(patch) == 0 {
		return now, patch, err
	}
	if unapproved, err := r.showsUnapproved(now, wanted, again, patch); err != nil || unapproved {
		return nil, nil, cmp.Or(err, r.errConflict(ctx, now, again, patch))
	}
	got, err := sendRevision(ctx, a, r, now, patch)
	return got, patch, err
}

// showsUnapproved reports whether the change of the newer version goes beyond what the user
// approved. That is so if it would reach more people, or show new viewers other text.
func (r revision) showsUnapproved(now, wanted, again *calendarapi.Event, patch event.Fields) (bool, error) {
	if r.approvedPeople == nil {
		return false, nil
	}
	if len(event.Union(r.approvedPeople, event.Audience(patch, now, again))) > len(r.approvedPeople) {
		return true, nil
	}
	if len(event.NewViewers(event.Addresses(again), now)) == 0 {
		return false, nil
	}
	changedFields, err := event.ChangedFields(wanted, again)
	return len(changedFields) > 0, err
}

// sendRevision sends the patch for a version of the event.
func sendRevision(ctx context.Context, a *agenda.Agenda, r revision, version *calendarapi.Event, patch event.Fields) (*calendarapi.Event, error) {
	request, err := eventwrite.NewPatch(r.target.Calendar.Id, version.Id, version.Etag, patch, r.notify)
	if err != nil {
		return nil, err
	}
	request.Tainted = event.IsUnapproved(version)
	request.PartlyApproved = request.Tainted && !r.approvesWholeEvent
	done, err := a.Send(ctx, request, eventwrite.Summary{Kind: "update", Title: htmltext.Line(version.Summary), When: event.When(version, r.target.Zone), People: r.notified})
	return done.Event, err
}

// timeFields lists the fields with the time of an event. A change of one of them counts
// as a change of all.
var timeFields = []string{"start", "end", "recurrence"}

// overwrittenFields returns the fields of the patch that somebody else changed to another
// value than the wanted one. Guests do not count, because they are added and removed one
// by one.
func overwrittenFields(was, now, wanted *calendarapi.Event, patch event.Fields) ([]string, error) {
	var versions [3]event.Fields
	for i, version := range []*calendarapi.Event{was, now, wanted} {
		fields, err := event.FieldsOf(version)
		if err != nil {
			return nil, err
		}
		versions[i] = fields
	}
	names := patch.Names()
	if slices.ContainsFunc(timeFields, func(name string) bool { return slices.Contains(names, name) }) {
		names = append(names, timeFields...)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		is := versions[1][name]
		return name == "attendees" || event.SameValue(versions[0][name], is) || event.SameValue(versions[2][name], is)
	}), nil
}

// errConflict returns CONFLICT for a change that would overwrite somebody else's. It shows
// the current and the requested values. It taints the session if the event contains
// untrusted content.
func (r revision) errConflict(ctx context.Context, now, wanted *calendarapi.Event, patch event.Fields) error {
	eventtext.Provenance(ctx, now, r.target.Calendar, "")
	problems := []metadata.Problem{}
	for _, field := range patch.ArgumentNames() {
		problem := metadata.Problem{Path: field, Expected: "asked for: " + strconv.Quote(eventtext.ShortValue(field, wanted, r.target.Zone)), Got: "now: " + strconv.Quote(eventtext.ShortValue(field, now, r.target.Zone))}
		if read := eventtext.ShortValue(field, r.was, r.target.Zone); r.was.Etag != now.Etag {
			problem.Expected += ", instead of " + strconv.Quote(read)
		}
		problems = append(problems, problem)
	}
	e := metadata.Errorf(metadata.Conflict, "somebody changed the event after it was read, so nothing was done: now it is %q, %s", htmltext.Line(now.Summary), event.When(now, r.target.Zone)).
		WithHint("Show the user both versions. To make the change anyway, repeat the call with etag %s.", now.Etag)
	e.Problems = problems
	return e
}
