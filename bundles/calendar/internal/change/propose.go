package change

import (
	"context"
	"slices"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/availability"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/series"
	"kota/metadata"
)

// A proposal is the planned change of one event.
type proposal struct {
	revision
	wanted         *calendarapi.Event // the event after the change
	patch          event.Fields       // the patch that makes the change
	lostExceptions []series.Exception // instances changed by hand that the change resets
	keptCount      int                // number of exceptions that stay

	reachedExceptions  []*calendarapi.Event // exceptions whose guests see the change
	firstRemoved       *calendarapi.Event   // the first instance after the new end of the series; nil if the call ends no series
	restoredExceptions []*calendarapi.Event // exceptions that an undo restores
}

// proposeChange plans the change that apply makes in the event was. It returns an error for
// a change that cannot be made.
func proposeChange(ctx context.Context, t *series.Target, in UpdateArgs, ed *edit, was *calendarapi.Event, apply func(*calendarapi.Event) error) (*proposal, error) {
	if err := ed.checkGuestsVisible(was); err != nil {
		return nil, err
	}
	p := &proposal{revision: revision{target: t, was: was, notify: in.Notify, strict: in.Etag != "", apply: apply}}
	var err error
	if p.wanted, p.patch, err = p.plan(was); err != nil {
		return nil, err
	}
	if !t.MatchesEtag(in.Etag) && len(p.patch) > 0 {
		return nil, p.errConflict(ctx, was, p.wanted, p.patch)
	}
	return p, checkMayChange(was, p.wanted, p.patch)
}

// outgoing returns the text that the change sends to these people: the changed fields and
// the exceptions that an undo restores. It adds the whole event if some of its guests have
// not seen it before.
func (p *proposal) outgoing(people []string) (bundles.Outgoing, error) {
	what, lines := "change of an event", eventtext.ChangeLines(p.patch, p.was, p.wanted, p.target.Zone)
	if p.firstRemoved != nil {
		what, lines = "cancellation of a part of a series", []bundles.Line{eventtext.FollowingLine(p.firstRemoved, p.was, p.target.Zone)}
	}
	if p.hasNewViewers() {
		content, err := eventtext.ContentAndInstanceLines(p.wanted, p.reachedExceptions, p.target.Zone, lines...)
		if err != nil {
			return bundles.Outgoing{}, err
		}
		lines = append(lines, content...)
	}
	restored, err := eventtext.InstanceLines(p.restoredExceptions, p.target.Zone)
	if err != nil {
		return bundles.Outgoing{}, err
	}
	lines = append(lines, restored...)
	out := eventtext.Outgoing(what, p.was, p.target.Zone, people, p.notify, lines...)
	return eventtext.BindToVersions(out, append([]*calendarapi.Event{p.wanted}, slices.Concat(p.reachedExceptions, p.restoredExceptions)...)...)
}

// hasNewViewers reports whether the change shows the event to somebody who did not see it
// before.
func (p *proposal) hasNewViewers() bool {
	return len(event.NewViewers(event.Addresses(p.wanted), p.was)) > 0
}

// checkMayChange returns REFUSED for a change of shared fields if the user is a guest who
// may not change the event. Google would refuse the change too, but perhaps only after a
// part of the call was done. If the event lets guests invite, such a guest may still add
// other guests.
func checkMayChange(was, wanted *calendarapi.Event, patch event.Fields) error {
	if patch.IsPersonal() || was.Organizer == nil || event.OrganizedByUser(was) || was.GuestsCanModify {
		return nil
	}
	if _, guests := patch["attendees"]; guests && len(patch) == 1 && (was.GuestsCanInviteOthers == nil || *was.GuestsCanInviteOthers) && len(wanted.Attendees) > len(was.Attendees) {
		return nil
	}
	return metadata.Errorf(metadata.Refused, "the event belongs to %s, who does not allow guests to change it", eventtext.OrganizerPhrase(was)).
		WithHint("In somebody else's event the user can only change reminders, color, show_as and visibility. calendar_respond_event answers the invitation; only the organizer can make other changes.")
}

// booking returns the times that the changed event takes. For a series these are at most
// series.MaxChecked dates from now on, within series.CheckedYears years.
func (p *proposal) booking(now time.Time) availability.Booking {
	b := availability.Booking{Title: p.wanted.Summary, Event: p.was.Id, Series: p.was.RecurringEventId}
	s, ok := eventtime.Of(p.wanted, p.target.Zone)
	if !ok {
		return b
	}
	b.Spans = []eventtime.Span{s}
	if len(p.wanted.Recurrence) == 0 {
		return b
	}
	set, err := series.RecurrenceOf(p.wanted, p.target.Zone)
	if err != nil {
		return b
	}
	from := s.Start
	if now.After(from) {
		from = now
	}
	starts, _ := set.Between(from, from.AddDate(series.CheckedYears, 0, 0), series.MaxChecked)
	b.Spans = s.RepeatedAt(starts)
	return b
}

// datesNote returns a note with the number of dates that a change of a series moves,
// removes and adds. It returns "" if the dates stay the same or cannot be read.
func (p *proposal) datesNote(ed *edit, exceptions []*calendarapi.Event, now time.Time) string {
	was, ok := eventtime.Of(p.was, p.target.Zone)
	is, known := eventtime.Of(p.wanted, p.target.Zone)
	_, timed := p.patch["start"]
	_, ruled := p.patch["recurrence"]
	if !ok || !known || !timed && !ruled {
		return ""
	}
	until := slices.MaxFunc([]time.Time{now, was.Start, is.Start}, time.Time.Compare).AddDate(series.YearsAhead, 0, 0)
	before, after := p.target.Dates(p.was, exceptions, until), p.target.Dates(p.wanted, exceptions, until)
	switch {
	case len(before.WallTimes) == 0 || len(after.WallTimes) == 0:
		return ""
	case ed.rule == nil && !eventtime.SameStart(was, is):
		return series.MoveNote(was, is, before, after, now)
	case ed.rule != nil:
		return series.RuleNote(before, after, now, until)
	}
	return ""
}

// sortExceptions lists the exceptions of the series that the change resets, and counts
// those that it keeps. kept reports whether the change keeps an exception. Cancelled
// exceptions are listed only in resetExceptions and are not counted.
func (p *proposal) sortExceptions(exceptions []*calendarapi.Event, kept func(*calendarapi.Event) bool) {
	for _, one := range exceptions {
		switch {
		case !kept(one):
			p.resetExceptions = append(p.resetExceptions, one)
			if one.Status != event.Cancelled {
				p.lostExceptions = append(p.lostExceptions, p.target.DescribeException(one))
			}
		case one.Status != event.Cancelled:
			p.keptCount++
		}
	}
}
