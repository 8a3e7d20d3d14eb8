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
	of     *series.Target
	was    *calendarapi.Event             // the version that was read
	apply  func(*calendarapi.Event) error // makes the change in an event; it may run again on a newer version
	notify string
	people []string             // the people to notify
	agreed []string             // the people that the policy allows to reach; nil if it was not asked
	whole  bool                 // the approval covers the whole event, not only the change
	strict bool                 // the caller named the version: no other version is changed
	title  string               // title of the undo; "" names the fields
	gone   []*calendarapi.Event // exceptions that the change resets
}

// A revised is the result of a revision.
type revised struct {
	before, after *calendarapi.Event
	patch         event.Fields // the sent patch; empty if nothing changed
	undo          string       // id
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

// revise changes the event once and keeps an undo record. If somebody else changed the
// event since it was read, revise still makes the change if it overwrites none of theirs.
// Otherwise it answers CONFLICT with both versions. It does not send an empty change.
func revise(ctx context.Context, a *agenda.Agenda, r revision) (revised, error) {
	wanted, patch, err := r.plan(r.was)
	if err != nil || len(patch) == 0 {
		return revised{before: r.was, after: r.was}, err
	}
	kept := keptUpdate{Calendar: r.of.Calendar.Id, Event: r.was.Id, Notify: r.notify, Gone: r.gone}
	if err := kept.hold(r.was, wanted, patch); err != nil {
		return revised{}, err
	}
	undo, err := a.Undos().Save(ctx, a.Account.Key(), r.called(kept), KindUpdate, kept)
	if err != nil {
		return revised{}, err
	}
	was := r.was
	got, err := sendRevision(ctx, a, r, was, patch)
	if changed := (*eventwrite.ChangedError)(nil); errors.As(err, &changed) {
		was = changed.Now
		got, patch, err = reviseAgain(ctx, a, r, wanted, patch, was)
	}
	if err != nil || len(patch) == 0 {
		return revised{before: was, after: was}, a.Undos().Failed(ctx, undo, err)
	}
	if _, asked := patch["conferenceData"]; asked {
		got = a.AwaitMeet(ctx, r.of.Calendar.Id, got)
	}
	if kept.hold(was, got, patch) == nil {
		// The change is made. If this fails, the record of the plan is good enough.
		_ = a.Undos().Amend(ctx, undo, r.called(kept), kept)
	}
	return revised{before: was, after: got, patch: patch, undo: undo}, nil
}

// called returns the title of the change in the list of undos.
func (r revision) called(k keptUpdate) string {
	if r.title != "" {
		return r.title
	}
	return k.title(r.was)
}

// reviseAgain makes the change in a version that somebody has changed since. It returns
// CONFLICT if that would overwrite their change.
func reviseAgain(ctx context.Context, a *agenda.Agenda, r revision, wanted *calendarapi.Event, patch event.Fields, now *calendarapi.Event) (*calendarapi.Event, event.Fields, error) {
	lost, err := overwritten(r.was, now, wanted, patch)
	if err != nil {
		return nil, nil, err
	}
	if r.strict || len(lost) > 0 {
		return nil, nil, r.conflict(ctx, now, wanted, patch)
	}
	again, patch, err := r.plan(now)
	if err != nil || len(patch) == 0 {
		return now, patch, err
	}
	if others, err := r.notAgreed(now, wanted, again, patch); err != nil || others {
		return nil, nil, cmp.Or(err, r.conflict(ctx, now, again, patch))
	}
	got, err := sendRevision(ctx, a, r, now, patch)
	return got, patch, err
}

// notAgreed reports whether the change would now show somebody something that was not
// approved.
func (r revision) notAgreed(now, wanted, again *calendarapi.Event, patch event.Fields) (bool, error) {
	if r.agreed == nil {
		return false, nil
	}
	if len(event.Union(r.agreed, event.SeenBy(patch, now, again))) > len(r.agreed) {
		return true, nil
	}
	if len(event.Newcomers(event.Addresses(again), now)) == 0 {
		return false, nil
	}
	others, err := event.ChangedBetween(wanted, again)
	return len(others) > 0, err
}

// sendRevision sends the patch for a version of the event.
func sendRevision(ctx context.Context, a *agenda.Agenda, r revision, of *calendarapi.Event, patch event.Fields) (*calendarapi.Event, error) {
	asked, err := eventwrite.NewPatch(r.of.Calendar.Id, of.Id, of.Etag, patch, r.notify)
	if err != nil {
		return nil, err
	}
	asked.Mixed = event.IsUnapproved(of)
	asked.Partly = asked.Mixed && !r.whole
	done, err := a.Reach(ctx, asked, eventwrite.Mailing{Kind: "update", Title: htmltext.Line(of.Summary), When: event.When(of, r.of.Zone), People: r.people})
	return done.Event, err
}

// timing lists the fields that say when an event takes place. They change together.
var timing = []string{"start", "end", "recurrence"}

// overwritten returns the fields of the patch that somebody else set to another value than
// the wanted one. Guests do not count: they are added and removed one by one.
func overwritten(was, now, wanted *calendarapi.Event, patch event.Fields) ([]string, error) {
	var versions [3]event.Fields
	for i, version := range []*calendarapi.Event{was, now, wanted} {
		fields, err := event.FieldsOf(version)
		if err != nil {
			return nil, err
		}
		versions[i] = fields
	}
	names := patch.Names()
	if slices.ContainsFunc(timing, func(name string) bool { return slices.Contains(names, name) }) {
		names = append(names, timing...)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		is := versions[1][name]
		return name == "attendees" || event.Same(versions[0][name], is) || event.Same(versions[2][name], is)
	}), nil
}

// conflict returns CONFLICT for a change that would overwrite somebody else's. It shows the
// current and the requested values, and taints the session if needed.
func (r revision) conflict(ctx context.Context, now, wanted *calendarapi.Event, patch event.Fields) error {
	eventtext.Provenance(ctx, now, r.of.Calendar, "")
	problems := []metadata.Problem{}
	for _, field := range patch.Words() {
		problem := metadata.Problem{Path: field, Expected: "asked for: " + strconv.Quote(eventtext.Field(field, wanted, r.of.Zone)), Got: "now: " + strconv.Quote(eventtext.Field(field, now, r.of.Zone))}
		if read := eventtext.Field(field, r.was, r.of.Zone); r.was.Etag != now.Etag {
			problem.Expected += ", instead of " + strconv.Quote(read)
		}
		problems = append(problems, problem)
	}
	e := metadata.Errorf(metadata.Conflict, "somebody changed the event since it was read, and nothing was done: now it is %q, %s", htmltext.Line(now.Summary), event.When(now, r.of.Zone)).
		WithHint("Show the user both versions. To make the change all the same, repeat the call with etag %s.", now.Etag)
	e.Problems = problems
	return e
}
