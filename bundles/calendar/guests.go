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
