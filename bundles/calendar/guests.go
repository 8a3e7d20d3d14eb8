package calendar

import (
	"fmt"
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/mailmsg"
)

// mostGuests is how many an event may have, with the user
// (https://support.google.com/calendar/answer/37161).
const mostGuests = 200

// noteUninvited says why a call left its guests out, and how they are invited.
const noteUninvited = "bundles.yaml lets nothing be sent without the user, so the guests are not invited: the user can invite them in Google Calendar; `send: ask` would let it be done here"

// readAttendees reads addresses to invite, in the order given. Whoever is named
// twice is invited once, and must come if either list says so; the addresses in
// own, which are the user's, are left out.
func readAttendees(p *eventtime.Problems, required, optional []string, own ...string) []*calendarapi.EventAttendee {
	invited := []*calendarapi.EventAttendee{}
	add := func(path string, list []string, isOptional bool) {
		for i, text := range list {
			a := p.Address(fmt.Sprintf("%s[%d]", path, i), text)
			if text == "" {
				p.Add(fmt.Sprintf("%s[%d]", path, i), `an address such as "ann@example.com"`, "")
			}
			if a == nil || isOneOf(a.Address, own) || guestNamed(invited, a.Address) != nil {
				continue
			}
			invited = append(invited, &calendarapi.EventAttendee{Email: a.Address, DisplayName: a.Name, Optional: isOptional})
		}
	}
	add("attendees", required, false)
	add("optional_attendees", optional, true)
	if len(invited) > mostGuests {
		p.Add("attendees", fmt.Sprintf("at most %d guests", mostGuests), fmt.Sprintf("%d", len(invited)))
	}
	return invited
}

// isOneOf reports whether the address is one of those, however written.
func isOneOf(address string, own []string) bool {
	return slices.ContainsFunc(own, func(o string) bool { return mailmsg.Owner(o) == mailmsg.Owner(address) })
}

// guestNamed returns the entry of the list with that address, nil when there is
// none.
func guestNamed(list []*calendarapi.EventAttendee, address string) *calendarapi.EventAttendee {
	for _, a := range list {
		if mailmsg.Canonical(a.Email) == mailmsg.Canonical(address) {
			return a
		}
	}
	return nil
}

// editGuests returns the list with some guests more and some fewer. All others
// stay as they are, with what they answered.
func editGuests(list, add []*calendarapi.EventAttendee, remove []string) []*calendarapi.EventAttendee {
	edited := slices.DeleteFunc(slices.Clone(list), func(one *calendarapi.EventAttendee) bool {
		return isOneOf(one.Email, remove)
	})
	for _, one := range add {
		if guestNamed(edited, one.Email) == nil {
			edited = append(edited, one)
		}
	}
	return edited
}

// organizes reports whether the event is the user's own, or of the calendar
// that it is on.
func organizes(e *calendarapi.Event) bool { return e.Organizer != nil && e.Organizer.Self }

// isUser reports whether the guest is the user: Google's self is whoever has the
// calendar, who may be a colleague.
func isUser(a *calendarapi.EventAttendee, in *calendarapi.CalendarListEntry) bool {
	return a.Self && in.Primary
}

// answers are what guests have answered, by Google's name of it, in the order
// in which they are counted.
var answers = [][2]string{{"accepted", "yes"}, {"declined", "no"}, {"tentative", "maybe"}, {"needsAction", "waiting"}}

// answerOf is Google's answer in a word. Anything else than the known ones is no
// answer yet.
func answerOf(status string) string {
	for _, a := range answers {
		if a[0] == status {
			return a[1]
		}
	}
	return "waiting"
}

// sameGuests reports whether the same people are invited to both.
func sameGuests(a, b *calendarapi.Event) bool {
	named := func(list []*calendarapi.EventAttendee) func(*calendarapi.EventAttendee) bool {
		return func(one *calendarapi.EventAttendee) bool { return guestNamed(list, one.Email) == nil }
	}
	return !slices.ContainsFunc(a.Attendees, named(b.Attendees)) && !slices.ContainsFunc(b.Attendees, named(a.Attendees))
}

// Whom Google mails about a change: nobody, only guests who do not use Google
// Calendar, or all guests. The change shows in the calendars of guests who use
// it whether they are mailed or not. "" is notifyNone.
const (
	notifyNone     = "none"
	notifyExternal = "external"
	notifyAll      = "all"
)

// mails reports whether a call asks Google to mail guests.
func mails(notify string) bool { return notify == notifyAll || notify == notifyExternal }
