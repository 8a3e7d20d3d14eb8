// Package change changes and deletes single events and series, and undoes such changes. It
// overwrites somebody else's change only in an undo that asks for that. It mails guests
// only if the call says so, and asks the policy before other people see a change. While it
// splits a series, no event is ever missing. Some events briefly exist twice. If duplicates
// remain, the error says so. Start with [Update] and [Delete].
package change

import (
	"context"
	"errors"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/availability"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/metadata"
)

// UpdateArgs are the arguments of calendar_update_event. Two calls are the same if their
// arguments have the same JSON, apart from dry_run.
type UpdateArgs struct {
	Event    string  `json:"event_id" audit:"show"`
	Calendar string  `json:"calendar,omitempty" doc:"id or name; default primary" audit:"show"`
	Scope    string  `json:"scope,omitempty" enum:"this,following,all" doc:"needed for a series"`
	Instance string  `json:"instance,omitempty" doc:"with a series' id: start of the instance" audit:"show"`
	Title    *string `json:"title,omitempty"`
	Start    string  `json:"start,omitempty" doc:"keeps the length; \"10:00\": that day; a date: all day" audit:"show"`
	End      string  `json:"end,omitempty" doc:"all day: the last day" audit:"show"`
	Duration string  `json:"duration,omitempty" doc:"\"45m\"" audit:"show"`
	Timezone string  `json:"timezone,omitempty" doc:"with start: the event's new zone" audit:"show"`
	event.Details
	Add        []string `json:"add_attendees,omitempty" max:"200" doc:"addresses" audit:"show"`
	Remove     []string `json:"remove_attendees,omitempty" max:"200" audit:"show"`
	Recurrence []string `json:"recurrence,omitempty" max:"20" doc:"new rule; [] ends the repeating"`
	Notify     string   `json:"notify,omitempty" enum:"none,external,all" default:"none" doc:"guests to mail"`
	OnConflict string   `json:"on_conflict,omitempty" enum:"warn,block,ignore" default:"warn"`
	Etag       string   `json:"etag,omitempty" doc:"change only this version"`
	DryRun     bool     `json:"dry_run,omitempty"`
	Account    string   `json:"account,omitempty" doc:"name or address" audit:"show"`

	Draft bool `json:"-"` // sending is not allowed: guests are not added, and nobody is mailed
}

// Effect returns the effect of this call. It is Reads for a dry run, Sends if the call adds
// or mails guests, and Writes otherwise.
func (in UpdateArgs) Effect() metadata.Effect {
	return event.EffectOf(in.DryRun, !in.Draft && (len(in.Add) > 0 || event.SendsMail(in.Notify)))
}

// AsDraft returns the arguments of the change without new guests and without mail.
func (in UpdateArgs) AsDraft() UpdateArgs {
	in.Draft, in.Notify = true, event.NotifyNone
	return in
}

// An Answer is the result of a change of an event.
type Answer struct {
	// Status is one of:
	//   - updated: the event was changed
	//   - draft: the event was changed, without its new guests and without mail
	//   - invited: the event is unchanged, and its guests were mailed
	//   - unchanged: nothing was changed, and nobody was mailed
	//   - deleted: the event was deleted, or it already was
	//   - ended: the series ends before the instance
	//   - dry_run: nothing was changed
	Status         string                     `json:"status"`
	Timezone       string                     `json:"timezone"`
	Event          *eventtext.Row             `json:"event,omitempty"` // current version, or the last one if deleted; with dry_run the planned one
	Etag           string                     `json:"etag,omitempty"`
	Recurrence     []string                   `json:"recurrence,omitempty"`
	Changes        []eventtext.Difference     `json:"changes,omitempty"`
	Earlier        *eventtext.Row             `json:"earlier_series,omitempty"`     // after a split: the series that ends before the new series
	EarlierEnd     []string                   `json:"earlier_recurrence,omitempty"` // recurrence of that series
	Lost           []series.Exception         `json:"exceptions_lost,omitempty"`    // exceptions that the change resets
	Kept           int                        `json:"exceptions_kept,omitempty"`    // number of exceptions that the change keeps
	Mailed         []string                   `json:"mailed,omitempty"`
	NotInvited     []string                   `json:"not_invited,omitempty"` // people who are not added because sending is not allowed
	Conflicts      []availability.Conflict    `json:"conflicts,omitempty"`
	More           int                        `json:"more_conflicts,omitempty"` // number of conflicts that Conflicts leaves out
	Unknown        []availability.UnknownTime `json:"unknown,omitempty"`        // calendars that could not be checked for conflicts
	AlreadyDeleted bool                       `json:"already,omitempty"`        // the event was deleted before the call
	Undo           string                     `json:"undo_id,omitempty"`
	Notes          []string                   `json:"notes,omitempty"`
}

// Update changes the event that the arguments name.
func Update(ctx context.Context, a *agenda.Agenda, in UpdateArgs) (Answer, error) {
	t, err := series.Find(ctx, a, series.EventRef{Calendar: in.Calendar, Event: in.Event, Instance: in.Instance, Scope: in.Scope})
	if missing := (*series.MissingInstanceError)(nil); in.Scope == series.ScopeFollowing && errors.As(err, &missing) {
		return answerRepeatedSplit(ctx, a, in, t, missing)
	}
	if err == nil {
		err = agenda.CheckWritable(ctx, t.Calendar)
	}
	if err != nil {
		return Answer{}, err
	}
	ed, err := readEdit(a, in, t)
	if err != nil {
		return Answer{}, err
	}
	switch {
	case isDeleted(t):
		return Answer{}, eventwrite.ErrDeleted(t.Event().Id)
	case t.Scope == series.ScopeFollowing:
		return updateFollowing(ctx, a, in, ed, t)
	case t.Scope == series.ScopeAll:
		return updateSeries(ctx, a, in, ed, t)
	}
	return updateOne(ctx, a, in, ed, t)
}

// updateOne changes a single event or an instance.
func updateOne(ctx context.Context, a *agenda.Agenda, in UpdateArgs, ed *edit, t *series.Target) (Answer, error) {
	p, err := proposeChange(ctx, t, in, ed, t.Single, func(e *calendarapi.Event) error { return ed.applyToOne(e, t) })
	if err != nil {
		return Answer{}, err
	}
	return updateTarget(ctx, a, in, ed, p)
}

// updateTarget carries out the proposed change and returns the answer.
func updateTarget(ctx context.Context, a *agenda.Agenda, in UpdateArgs, ed *edit, p *proposal) (Answer, error) {
	out := Answer{Status: "updated", Timezone: p.target.Zone.String(), Kept: p.keptCount, Lost: p.lostExceptions, NotInvited: ed.notInvited}
	out.addNotes(ed.notes...)
	if len(p.patch) == 0 && in.onlyMails() {
		return resend(ctx, a, in, p, out)
	}
	if len(p.patch) == 0 {
		out.Status = "unchanged"
		if len(ed.addGuests) > 0 {
			out.addNotes(`the people to add are already guests; "notify" alone mails the invitation to all guests again`)
		}
		if len(ed.notes) == 0 {
			out.addNotes("nothing was changed: the event already has these values")
		}
		out.setEvent(ctx, p.target, p.was)
		return out, nil
	}
	if err := findConflicts(ctx, a, in, p, &out); err != nil {
		return Answer{}, err
	}
	people := event.Union(event.Audience(p.patch, p.was, p.wanted), event.AddressesOfAll(p.reachedExceptions))
	reached := event.Union(people, p.target.Sharers)
	if event.SendsMail(in.Notify) || len(ed.addGuests) > 0 {
		p.notified = people
	}
	if in.DryRun {
		out.Status = "dry_run"
		out.setEvent(ctx, p.target, p.wanted)
		out.Etag = ""
		out.Changes = eventtext.Differences(p.was, p.wanted, p.patch, p.target.Zone)
		out.addMailed(in.Notify, people, "")
		out.addNotes(eventtext.PolicyNotes(ctx, reached)...)
		return out, nil
	}
	p.approvedPeople, p.approvesWholeEvent = reached, p.hasNewViewers()
	outgoing, err := p.outgoing(reached)
	if err != nil {
		return Answer{}, err
	}
	if err := eventtext.ConfirmReach(ctx, outgoing, p.was); err != nil {
		return Answer{}, err
	}
	done, err := revise(ctx, a, p.revision)
	if err != nil {
		return Answer{}, err
	}
	if len(done.patch) == 0 {
		return out.unchanged(ctx, p.target, done.after), nil
	}
	out.setEvent(ctx, p.target, done.after)
	out.Changes, out.Undo = eventtext.Differences(done.before, done.after, done.patch, p.target.Zone), done.undo
	if in.Draft {
		out.Status = "draft"
	}
	out.addMailed(in.Notify, people, p.howToMail(ctx, done.after))
	return out, nil
}
