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
	was    *calendarapi.Event             // as it was read
	apply  func(*calendarapi.Event) error // makes of the event what it is to be; it may run again on a newer one
	notify string
	people []string             // who hears of it
	agreed []string             // whom it was let through to reach; nil where that was not asked
	whole  bool                 // the user was asked about all of the event, and not about the change alone
	strict bool                 // the caller named the version: of any other nothing is changed
	title  string               // of the undo; "" names the fields
	gone   []*calendarapi.Event // instances that are no more what they were changed to by hand
}

// A revised is what became of a revision.
type revised struct {
	before, after *calendarapi.Event
	patch         event.Fields // what was sent; empty when there was nothing to change
	undo          string       // id
}

// plan returns the event as it is to be, and the patch that makes it so.
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

// revise changes the event, once, and keeps what was there before. Where
// somebody else has changed it since it was read, the change is made all the
// same when it touches nothing that they did, and otherwise answers CONFLICT
// with both versions. A change of nothing is not sent.
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
		// The change is made; what was kept of the plan will do where this fails.
		_ = a.Undos().Amend(ctx, undo, r.called(kept), kept)
	}
	return revised{before: was, after: got, patch: patch, undo: undo}, nil
}

// called is what the change is called in a list of those that can be undone.
func (r revision) called(k keptUpdate) string {
	if r.title != "" {
		return r.title
	}
	return k.title(r.was)
}

// reviseAgain makes the change of an event that somebody has changed since it
// was read, as it is now, unless that would overwrite what they did.
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

// notAgreed reports whether the change would by now show something to somebody that was not
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

// sendRevision sends the patch of a version of the event.
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

// timing are the fields that say when an event is. They change together.
var timing = []string{"start", "end", "recurrence"}

// overwritten returns the patch's fields that somebody else set otherwise than is wanted.
// Guests are added and removed one by one, which overwrites nothing.
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

// conflict is the CONFLICT of a change that would overwrite somebody else's: what is there
// now, and what was asked for. It taints the session as needed.
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
