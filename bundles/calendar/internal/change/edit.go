package change

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// An edit is the change that a call asks for. It is checked as far as possible without the
// event.
type edit struct {
	title   *string
	when    eventtime.Args
	at      timeparse.Context // times are read in it
	zone    bool              // the event gets the zone of at
	details event.Details
	seed    string // for the request for a video call
	add     []*calendarapi.EventAttendee
	remove  []string
	rule    []string // the lines of recurrence; nil keeps them, empty ends the series

	missing []string // guests who are not added because nobody may be reached
	notes   []string // for the user
}

// moves reports whether the call changes the event's time.
func (ed *edit) moves() bool { return ed.when != eventtime.Args{} }

// readEdit reads the arguments of a call about the target. It reports all problems
// together.
func readEdit(a *agenda.Agenda, in UpdateArgs, t *series.Target) (*edit, error) {
	p := eventtime.Problems{}
	ed := &edit{
		title: in.Title, when: eventtime.Args{Start: in.Start, End: in.End, Duration: in.Duration}, zone: in.Timezone != "", details: in.Details, seed: rand.Text(),
		rule: in.Recurrence, at: timeparse.Context{Now: a.Now(), Zone: p.Zone("timezone", in.Timezone, t.Zone)},
	}
	if ed.zone && in.Start == "" {
		p.Add("timezone", "given with start, which it is the zone of", in.Timezone)
	}
	if ed.rule != nil && t.Series != nil && t.Scope == series.ScopeThis {
		p.Add("recurrence", "left out with scope this: the rule is that of the series", fmt.Sprint(in.Recurrence))
	}
	ed.guests(&p, in, t.Own)
	ed.fill(&p, &calendarapi.Event{}) // reports all problems at once
	return ed, p.Err()
}

// guests reads which guests the call adds and removes. The user is never a guest.
func (ed *edit) guests(p *eventtime.Problems, in UpdateArgs, own []string) {
	for _, one := range p.Addresses("add_attendees", in.Add) {
		switch {
		case event.IsOneOf(one.Address, own):
			ed.note("the user is no guest of the user's own calendar: " + one.Address + " was left out")
		case in.Held:
			ed.missing = append(ed.missing, one.Address)
		default:
			ed.add = append(ed.add, &calendarapi.EventAttendee{Email: one.Address, DisplayName: one.Name})
		}
	}
	if len(ed.missing) > 0 {
		ed.notes = append(ed.notes, event.NoteUninvited)
	}
	for i, one := range p.Addresses("remove_attendees", in.Remove) {
		if event.IsOneOf(one.Address, own) {
			p.Add(fmt.Sprintf("remove_attendees[%d]", i), "somebody else: the user's own calendar is rid of an event by deleting it", one.Address)
		}
		ed.remove = append(ed.remove, one.Address)
	}
}

// one applies the edit to a single event or an instance.
func (ed *edit) one(e *calendarapi.Event, t *series.Target) error {
	p := eventtime.Problems{}
	s, ok := eventtime.Of(e, t.Zone)
	if ok && ed.moves() {
		if s = ed.place(&p, s); p.Err() != nil {
			return p.Err()
		}
		s.Place(e)
	}
	if ok {
		ed.repeat(&p, e, s)
	}
	ed.fill(&p, e)
	return p.Err()
}

// place returns the new time of an event. The event keeps its zone unless the call names
// another.
func (ed *edit) place(p *eventtime.Problems, was eventtime.Span) eventtime.Span {
	read := was
	if was.AllDay {
		read = was.Moved(ed.at.Zone)
	}
	read.Zone = ed.at.Zone
	s, notes := p.Span(ed.when, eventtime.Defaults{At: ed.at, Was: &read, Usual: event.UsualLength})
	for _, note := range notes {
		ed.note(note)
	}
	if !ed.zone && s.Zone == ed.at.Zone {
		s.Zone = was.Zone
	}
	return s
}

// repeat gives an event the rule in the call. An empty rule ends the series.
func (ed *edit) repeat(p *eventtime.Problems, e *calendarapi.Event, s eventtime.Span) {
	if ed.rule == nil {
		return
	}
	repeated := len(e.Recurrence) > 0
	e.Recurrence = nil
	if len(ed.rule) == 0 {
		if repeated {
			ed.note(oneLeft(s, ed.at.Now))
		}
		return
	}
	set := series.ReadRule(p, ed.rule, s)
	if set == nil {
		return
	}
	lines, first, err := series.Kept(s, set)
	if err != nil {
		p.Explain("recurrence", "another start or one rule", strings.Join(ed.rule, " "), err)
		return
	}
	e.Recurrence = lines
	first.Place(e)
	for _, note := range series.RuleNotes(set, s) {
		ed.note(note)
	}
	ed.note(series.KeptFromNote(s, first))
}

// oneLeft says which event is left when a series ends.
func oneLeft(s eventtime.Span, now time.Time) string {
	text := "it repeats no more: one event is left, " + s.Begins()
	if !s.End.After(now) {
		text += ", which lies in the past"
	}
	return text
}

// note adds a remark for the user, unless it is empty or already there.
func (ed *edit) note(text string) {
	if text == "" {
		return
	}
	for _, known := range ed.notes {
		if known == text {
			return
		}
	}
	ed.notes = append(ed.notes, text)
}

// fill applies the edit to the event, except for time and recurrence.
func (ed *edit) fill(p *eventtime.Problems, e *calendarapi.Event) {
	if ed.title != nil {
		e.Summary = event.ReadTitle(p, *ed.title)
	}
	ed.details.Apply(p, e, ed.seed)
	e.Attendees = event.EditGuests(e.Attendees, ed.add, ed.remove)
}

// seesGuests refuses to change a guest list of which Google shows only a part.
func (ed *edit) seesGuests(e *calendarapi.Event) error {
	if !e.AttendeesOmitted || len(ed.add)+len(ed.remove) == 0 {
		return nil
	}
	return hiddenGuests("a change of the list would drop the others")
}

func hiddenGuests(why string) error {
	return metadata.Errorf(metadata.Unavailable, "Google does not show all guests of the event, and %s", why).
		WithHint("Nothing was done. The user can do this in Google Calendar; everything but guests can be changed here.")
}
