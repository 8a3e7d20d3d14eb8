package calendar

import (
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/mailmsg"
)

// unseenGuests stands for guests of whom Google tells no more than that they are
// there: people are reached all the same.
const unseenGuests = "guests whom Google does not show"

// addressesOf returns whom a change of the event reaches: its guests without
// rooms, the calendar it is in and the addresses in own, which are the user's.
func addressesOf(e *calendarapi.Event, own ...string) []string {
	addresses := []string{}
	for _, a := range e.Attendees {
		if !a.Self && !a.Resource && !isOneOf(a.Email, own) {
			addresses = append(addresses, a.Email)
		}
	}
	if e.AttendeesOmitted {
		addresses = append(addresses, unseenGuests)
	}
	return addresses
}

// guestsOfAny returns the guests of all these events, but for those that are
// cancelled: instances of a series may have guests of their own.
func guestsOfAny(list []*calendarapi.Event, own ...string) []string {
	people := []string{}
	for _, e := range list {
		if e.Status != cancelled {
			people = everybody(people, addressesOf(e, own...))
		}
	}
	return people
}

// everybody is who is in one of the lists, each once.
func everybody(lists ...[]string) []string {
	people, seen := []string{}, map[string]bool{}
	for _, list := range lists {
		for _, address := range list {
			form := mailmsg.Canonical(address)
			if !seen[form] {
				seen[form], people = true, append(people, address)
			}
		}
	}
	return people
}

// seenBy returns whose calendars a change shows in: those of the guests of both
// versions, and that of the organizer when it is somebody else's event. What is
// the user's own in an event nobody sees.
func seenBy(patch fieldset, versions ...*calendarapi.Event) []string {
	people := []string{}
	if patch.personal() {
		return people
	}
	for _, e := range versions {
		readers := addressesOf(e)
		if e.Organizer != nil && !e.Organizer.Self && e.Organizer.Email != "" { // who need not be a guest
			readers = append(readers, e.Organizer.Email)
		}
		people = everybody(people, readers)
	}
	return people
}

// newcomers returns those of these people who did not see the event.
func newcomers(people []string, was *calendarapi.Event) []string {
	before := seenBy(fieldset{"recurrence": nil}, was)
	return slices.DeleteFunc(slices.Clone(people), func(who string) bool {
		return slices.ContainsFunc(before, func(one string) bool { return mailmsg.Canonical(one) == mailmsg.Canonical(who) })
	})
}
