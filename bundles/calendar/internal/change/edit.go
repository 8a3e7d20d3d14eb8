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

// An edit is the change that a call asks for. Its values are checked as far as possible
// without the event.
type edit struct {
	title        *string
	when         eventtime.Args
	timeContext  timeparse.Context // the current time and the zone for reading times
	setsZone     bool              // the event gets the zone of timeContext
	details      event.Details
	seed         string // identifies the request for a video call
	addGuests    []*calendarapi.EventAttendee
	removeGuests []string
	rule         []string // lines of the new recurrence; nil keeps the present ones, an empty list makes a single event

	notInvited []string // guests who are not added because sending is not allowed
	notes      []string // remarks for the user
}

// changesTime reports whether the call changes the event's time.
func (ed *edit) changesTime() bool { return ed.when != eventtime.Args{} }

// readEdit reads the arguments of a call about the target. The error lists all problems
// together.
func readEdit(a *agenda.Agenda, in UpdateArgs, t *series.Target) (*edit, error) {
	p := eventtime.Problems{}
	ed := &edit{
		title: in.Title, when: eventtime.Args{Start: in.Start, End: in.End, Duration: in.Duration}, setsZone: in.Timezone != "", details: in.Details, seed: rand.Text(),
		rule: in.Recurrence, timeContext: timeparse.Context{Now: a.Now(), Zone: p.Zone("timezone", in.Timezone, t.Zone)},
	}
	if ed.setsZone && in.Start == "" {
		p.Add("timezone", "given with start, because it is the zone of start", in.Timezone)
	}
	if ed.rule != nil && t.Series != nil && t.Scope == series.ScopeThis {
		p.Add("recurrence", "omitted with scope this: the rule belongs to the series", fmt.Sprint(in.Recurrence))
	}
	ed.readGuests(&p, in, t.OwnAddresses)
	ed.applyDetails(&p, &calendarapi.Event{}) // finds the problems of the details now
	return ed, p.Err()
}

// readGuests reads which guests the call adds and removes. ownAddresses are the user's: the
// call cannot add or remove the user.
func (ed *edit) readGuests(p *eventtime.Problems, in UpdateArgs, ownAddresses []string) {
	for _, one := range p.Addresses("add_attendees", in.Add) {
		switch {
		case event.IsOneOf(one.Address, ownAddresses):
			ed.note("the user is not a guest of an event in their own calendar, so " + one.Address + " was not added")
		case in.Draft:
			ed.notInvited = append(ed.notInvited, one.Address)
		default:
			ed.addGuests = append(ed.addGuests, &calendarapi.EventAttendee{Email: one.Address, DisplayName: one.Name})
		}
	}
	if len(ed.notInvited) > 0 {
		ed.notes = append(ed.notes, event.NoteUninvited)
	}
	for i, one := range p.Addresses("remove_attendees", in.Remove) {
		if event.IsOneOf(one.Address, ownAddresses) {
			p.Add(fmt.Sprintf("remove_attendees[%d]", i), "somebody else: to remove the event from the user's own calendar, delete the event", one.Address)
		}
		ed.removeGuests = append(ed.removeGuests, one.Address)
	}
}

// applyToOne applies the edit to a single event or an instance.
func (ed *edit) applyToOne(e *calendarapi.Event, t *series.Target) error {
	p := eventtime.Problems{}
	s, ok := eventtime.Of(e, t.Zone)
	if ok && ed.changesTime() {
		if s = ed.newTime(&p, s); p.Err() != nil {
			return p.Err()
		}
		s.ApplyTo(e)
	}
	if ok {
		ed.applyRule(&p, e, s)
	}
	ed.applyDetails(&p, e)
	return p.Err()
}

// newTime returns the new time of an event. The event keeps its zone unless the call names
// another.
func (ed *edit) newTime(p *eventtime.Problems, was eventtime.Span) eventtime.Span {
	read := was
	if was.AllDay {
		read = was.InZone(ed.timeContext.Zone)
	}
	read.Zone = ed.timeContext.Zone
	s, notes := p.Span(ed.when, eventtime.Defaults{Context: ed.timeContext, Existing: &read, Length: event.DefaultLength})
	for _, note := range notes {
		ed.note(note)
	}
	if !ed.setsZone && s.Zone == ed.timeContext.Zone {
		s.Zone = was.Zone
	}
	return s
}

// applyRule sets the recurrence that the call gives. An empty rule turns the series into
// a single event.
func (ed *edit) applyRule(p *eventtime.Problems, e *calendarapi.Event, s eventtime.Span) {
	if ed.rule == nil {
		return
	}
	repeated := len(e.Recurrence) > 0
	e.Recurrence = nil
	if len(ed.rule) == 0 {
		if repeated {
			ed.note(remainingEventNote(s, ed.timeContext.Now))
		}
		return
	}
	set := series.ReadRule(p, ed.rule, s)
	if set == nil {
		return
	}
	lines, first, err := series.Storable(s, set)
	if err != nil {
		p.AddWithReason("recurrence", "another start, or only one rule", strings.Join(ed.rule, " "), err)
		return
	}
	e.Recurrence = lines
	first.ApplyTo(e)
	for _, note := range series.RuleNotes(set, s) {
		ed.note(note)
	}
	ed.note(series.StoredStartNote(s, first))
}

// remainingEventNote returns the note about the event that remains when a series becomes
// a single event.
func remainingEventNote(s eventtime.Span, now time.Time) string {
	text := "it no longer repeats: one event remains, " + s.StartWords()
	if !s.End.After(now) {
		text += ", which is in the past"
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

// applyDetails applies the edit to the event, except for time and recurrence.
func (ed *edit) applyDetails(p *eventtime.Problems, e *calendarapi.Event) {
	if ed.title != nil {
		e.Summary = event.ReadTitle(p, *ed.title)
	}
	ed.details.Apply(p, e, ed.seed)
	e.Attendees = event.EditGuests(e.Attendees, ed.addGuests, ed.removeGuests)
}

// checkGuestsVisible returns an error if the call changes the guest list and Google shows
// only a part of it.
func (ed *edit) checkGuestsVisible(e *calendarapi.Event) error {
	if !e.AttendeesOmitted || len(ed.addGuests)+len(ed.removeGuests) == 0 {
		return nil
	}
	return errHiddenGuests("changing the list would remove the hidden ones")
}

func errHiddenGuests(reason string) error {
	return metadata.Errorf(metadata.Unavailable, "Google does not show all guests of the event, and %s", reason).
		WithHint("Nothing was done. Change everything except the guests; the user can change the guests in Google Calendar.")
}
