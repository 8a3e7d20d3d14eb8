package calendar

import (
	"time"

	"kota/metadata"
)

// A proposal is what a call would do to one event.
type proposal struct {
	revision
	wanted *event
	patch  fieldset
	lost   []exception // instances that had been changed by hand, and would not be any more
	kept   int         // how many still would be

	reached []*event // instances with changes of their own in which it shows
}

// propose works out the change of an event, and refuses one that cannot be made.
func (t *target) propose(in updateEventIn, ed *edit, was *event, apply func(*event) error) (*proposal, error) {
	if err := ed.seesGuests(was); err != nil {
		return nil, err
	}
	p := &proposal{revision: revision{of: t, was: was, notify: in.Notify, strict: in.Etag != "", apply: apply}}
	var err error
	if p.wanted, p.patch, err = p.plan(was); err != nil {
		return nil, err
	}
	if !t.is(in.Etag) && len(p.patch) > 0 {
		return nil, p.conflict(was, p.wanted, p.patch)
	}
	return p, mayChange(was, p.wanted, p.patch)
}

// mayChange refuses a change of what an event's guests share, when the event is
// somebody else's who does not let guests change it. Google would refuse it too,
// perhaps after a part of the call was done.
func mayChange(was, wanted *event, patch fieldset) error {
	if patch.personal() || was.Organizer == nil || organizes(was) || was.GuestsCanModify {
		return nil
	}
	if _, guests := patch["attendees"]; guests && len(patch) == 1 && (was.GuestsCanInviteOthers == nil || *was.GuestsCanInviteOthers) && len(wanted.Attendees) > len(was.Attendees) {
		return nil
	}
	return metadata.Errorf(metadata.Refused, "the event is of %s, who lets no guest change it", organizerNamed(was)).
		WithHint("Of somebody else's event the user changes reminders, color, show_as and visibility alone. calendar_respond_event answers it; to have it changed, the user can write to the organizer.")
}

// booking is the time that the event is to take up from now on.
func (p *proposal) booking(now time.Time) booking {
	b := booking{title: p.wanted.Summary, event: p.was.Id, series: p.was.RecurringEventId}
	s, ok := spanOf(p.wanted, p.of.zone)
	if !ok {
		return b
	}
	b.spans = []span{s}
	if len(p.wanted.Recurrence) == 0 {
		return b
	}
	set, err := ruleOf(p.wanted, p.of.zone)
	if err != nil {
		return b
	}
	from := s.start
	if now.After(from) {
		from = now
	}
	starts, _ := set.Between(from, from.AddDate(checkedYears, 0, 0), mostChecked)
	b.spans = s.repeated(starts)
	return b
}

// starting returns the span of the same length that starts at another moment: of
// whole days as many days.
func (s span) starting(at time.Time) span { return s.repeated([]time.Time{at})[0] }
