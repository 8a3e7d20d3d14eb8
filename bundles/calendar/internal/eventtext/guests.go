package eventtext

import (
	"fmt"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
)

// guests holds the people invited to an event besides the user, and their answers. Rooms
// are left out.
type guests struct {
	people  []*calendarapi.EventAttendee
	Omitted bool // there may be guests that Google does not show
}

// GuestsOf returns the guests of an event in this calendar.
func GuestsOf(e *calendarapi.Event, calendar *calendarapi.CalendarListEntry) guests {
	g := guests{Omitted: e.AttendeesOmitted || e.GuestsCanSeeOtherGuests != nil && !*e.GuestsCanSeeOtherGuests && !event.OrganizedByUser(e)}
	for _, a := range e.Attendees {
		if !event.IsUser(a, calendar) && !a.Resource {
			g.people = append(g.people, a)
		}
	}
	return g
}

// maxNamed is the maximum number of guests that are listed by name.
const maxNamed = 3

// words lists the guests with their answers: "Bob yes, Carol waiting". For more than
// maxNamed guests it counts the answers: "20: 12 yes, 3 no, 5 waiting". It returns "" if
// there are no guests and Google hides none.
func (g guests) words() string {
	var parts []string
	if len(g.people) <= maxNamed {
		for _, a := range g.people {
			parts = append(parts, strings.ReplaceAll(personName(a.DisplayName, a.Email, MaxName), ",", "")+" "+event.Answer(a.ResponseStatus))
		}
	} else {
		parts = g.counts()
	}
	text := strings.Join(parts, ", ")
	if len(g.people) > maxNamed {
		text = fmt.Sprintf("%d: %s", len(g.people), text)
	}
	if g.Omitted {
		text = strings.TrimPrefix(text+", others not shown", ", ")
	}
	return text
}

// counts returns the number of guests for each answer: "12 yes".
func (g guests) counts() []string {
	count := map[string]int{}
	for _, a := range g.people {
		count[event.Answer(a.ResponseStatus)]++
	}
	var parts []string
	for _, a := range event.Answers {
		if n := count[a[1]]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, a[1]))
		}
	}
	return parts
}

// MyAnswer returns the user's answer to an invitation: yes, no, maybe or "not yet". It
// returns "" for events to which the user is not invited. For the organizer, who is assumed
// to come, it returns only "no" and "maybe".
func MyAnswer(e *calendarapi.Event, calendar *calendarapi.CalendarListEntry) string {
	for _, a := range e.Attendees {
		answer := event.Answer(a.ResponseStatus)
		switch {
		case !event.IsUser(a, calendar), a.Organizer && (answer == "yes" || answer == "waiting"):
			continue
		case answer == "waiting":
			return "not yet"
		}
		return answer
	}
	return ""
}
