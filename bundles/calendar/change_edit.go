package calendar

import (
	"crypto/rand"
	"fmt"
	"time"

	"kota/bundles/internal/zoned"
	"kota/metadata"
)

// An edit is what a call asks to change of an event, checked as far as that can
// be done without the event.
type edit struct {
	title   *string
	when    whenIn
	at      zoned.Context // that times are read by
	zone    bool          // the event is to be in the zone of at
	details detailsIn
	seed    string // of the request for a video call
	add     []*attendee
	remove  []string

	notes []string // on the times, for the user
}

// moves reports whether the event's time is to be another.
func (ed *edit) moves() bool { return ed.when != whenIn{} }

// readEdit reads the arguments of a call about the target.
func readEdit(in updateEventIn, t *target, now time.Time) (*edit, error) {
	p := problems{}
	ed := &edit{
		title: in.Title, when: whenIn{in.Start, in.End, in.Duration}, zone: in.Timezone != "", details: in.detailsIn,
		seed: rand.Text(), at: zoned.Context{Now: now, Zone: p.zone("timezone", in.Timezone, t.zone)},
	}
	if ed.zone && in.Start == "" {
		p.Add("timezone", "given with start, which it is the zone of", in.Timezone)
	}
	ed.guests(&p, in, t.own)
	ed.fill(&p, &event{}) // so that everything wrong is said at once
	return ed, p.Err()
}

// guests reads who is to be invited and who no longer. The user is no guest of
// the own events.
func (ed *edit) guests(p *problems, in updateEventIn, own []string) {
	for _, one := range p.Addresses("add_attendees", in.Add) {
		if !isOneOf(one.Address, own) {
			ed.add = append(ed.add, &attendee{Email: one.Address, DisplayName: one.Name})
		}
	}
	for i, one := range p.Addresses("remove_attendees", in.Remove) {
		if isOneOf(one.Address, own) {
			p.Add(fmt.Sprintf("remove_attendees[%d]", i), "somebody else: calendar_delete_event removes the event from the user's own calendar", one.Address)
		}
		ed.remove = append(ed.remove, one.Address)
	}
}

// one makes of a single event, or of one of a series, what it is to be.
func (ed *edit) one(e *event, zone *time.Location) error {
	p := problems{}
	if was, ok := spanOf(e, zone); ok && ed.moves() {
		s, notes := ed.place(&p, was)
		if err := p.Err(); err != nil {
			return err
		}
		ed.notes = notes
		s.place(e)
	}
	ed.fill(&p, e)
	return p.Err()
}

// place returns when the event is to be that is at the time so far, and what its
// user has to know of it. The event keeps its zone unless another is named.
func (ed *edit) place(p *problems, was span) (span, []string) {
	read := was
	if was.allDay {
		read = was.moved(ed.at.Zone)
	}
	read.zone = ed.at.Zone
	s, notes := p.span(ed.when, placing{at: ed.at, was: &read, usual: usualLength})
	if !ed.zone && s.zone == ed.at.Zone {
		s.zone = was.zone
	}
	return s, notes
}

// fill makes of the event what it is to be, but for its time and recurrence.
func (ed *edit) fill(p *problems, e *event) {
	if ed.title != nil {
		e.Summary = p.title(*ed.title)
	}
	ed.details.apply(p, e, ed.seed)
	e.Attendees = editGuests(e.Attendees, ed.add, ed.remove)
}

// seesGuests refuses to change a list of guests of which Google shows a part:
// the others would be lost.
func (ed *edit) seesGuests(e *event) error {
	if !e.AttendeesOmitted || len(ed.add)+len(ed.remove) == 0 {
		return nil
	}
	return metadata.Errorf(metadata.Unavailable, "Google does not show all guests of the event, and a change of the list would drop the others").
		WithHint("Nothing was done. Guests of this event can be changed in Google Calendar; the rest of it here, without add_attendees and remove_attendees.")
}
