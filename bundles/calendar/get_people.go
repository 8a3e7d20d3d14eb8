package calendar

import (
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
)

// A person is the organizer, author or guest of an event.
type person struct {
	Name    string `json:"name,omitempty"`
	Address string `json:"address,omitempty"`
	You     bool   `json:"you,omitempty"` // the person is the user
}

// A guestRow is an invited person or room.
type guestRow struct {
	person
	Answer   string `json:"answer"` // yes, no, maybe, waiting
	Comment  string `json:"comment,omitempty"`
	Optional bool   `json:"optional,omitempty"`
	Room     bool   `json:"room,omitempty"`
	Brings   int64  `json:"brings,omitempty"` // number of additional guests
}

// Limits of the output about guests.
const (
	maxGuestsShown = 50
	maxShownText   = 300 // characters
)

// fillPeople fills in the author, the organizer and the guests.
func fillPeople(from *agenda.Source, e *calendarapi.Event, out *eventOut) {
	if e.Organizer != nil {
		organizer := newPerson(from, e.Organizer.DisplayName, e.Organizer.Email)
		out.WrittenBy = &organizer
		if !organizer.You && e.Organizer.Email != from.Entry.Id {
			out.Organizer = &organizer
		}
	}
	// In a shared calendar, the creator of an event is its author and the calendar is its
	// organizer.
	if e.Creator != nil && e.Creator.Email != "" && (e.Organizer == nil || e.Organizer.Self || e.Organizer.Email == "") {
		creator := newPerson(from, e.Creator.DisplayName, e.Creator.Email)
		out.WrittenBy = &creator
	}
	for _, a := range e.Attendees {
		if event.IsUser(a, from.Entry) && a.Organizer {
			continue
		}
		if len(out.Guests) == maxGuestsShown {
			out.More++
			continue
		}
		out.Guests = append(out.Guests, guestRow{
			person: guestOf(from, a), Answer: event.Answer(a.ResponseStatus), Comment: eventtext.Cut(htmltext.Line(a.Comment), maxShownText),
			Optional: a.Optional, Room: a.Resource, Brings: a.AdditionalGuests,
		})
	}
	out.Omitted = eventtext.GuestsOf(e, from.Entry).Omitted
}

func guestOf(from *agenda.Source, a *calendarapi.EventAttendee) person {
	p := newPerson(from, a.DisplayName, a.Email)
	p.You = p.You || event.IsUser(a, from.Entry)
	return p
}

// newPerson returns the person with that name and address. It sets You for the user.
func newPerson(from *agenda.Source, name, address string) person {
	p := person{Name: eventtext.Cut(htmltext.Line(name), maxShownText), Address: eventtext.Cut(htmltext.Line(address), maxShownText)}
	ownAddresses := []string{from.Agenda.Account.Address}
	for _, e := range from.Set.List {
		if e.Primary {
			ownAddresses = append(ownAddresses, e.Id)
		}
	}
	for _, o := range ownAddresses {
		p.You = p.You || o != "" && mailmsg.Canonical(o) == mailmsg.Canonical(address)
	}
	if strings.EqualFold(p.Name, p.Address) {
		p.Name = ""
	}
	return p
}
