package event

import (
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/mailmsg"
)

// unseenGuests stands for guests of whom Google tells no more than that they are
// there: people are reached all the same.
const unseenGuests = "guests whom Google does not show"

// Addresses returns whom a change of the event reaches: its guests without
// rooms, the calendar it is in and the addresses in own, which are the user's.
func Addresses(e *calendarapi.Event, own ...string) []string {
	addresses := []string{}
	for _, a := range e.Attendees {
		if !a.Self && !a.Resource && !IsOneOf(a.Email, own) {
			addresses = append(addresses, a.Email)
		}
	}
	if e.AttendeesOmitted {
		addresses = append(addresses, unseenGuests)
	}
	return addresses
}

// AddressesOfAll returns the guests of all these events, but for those that are
// cancelled: instances of a series may have guests of their own.
func AddressesOfAll(list []*calendarapi.Event, own ...string) []string {
	people := []string{}
	for _, e := range list {
		if e.Status != Cancelled {
			people = Union(people, Addresses(e, own...))
		}
	}
	return people
}

// Union returns everybody who is in one of the lists, once each.
func Union(lists ...[]string) []string {
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

// SeenBy returns whose calendars a change shows in: those of the guests of both
// versions, and that of the organizer when it is somebody else's event. What is
// the user's own in an event nobody sees.
func SeenBy(patch Fields, versions ...*calendarapi.Event) []string {
	people := []string{}
	if patch.IsPersonal() {
		return people
	}
	for _, e := range versions {
		readers := Addresses(e)
		if e.Organizer != nil && !e.Organizer.Self && e.Organizer.Email != "" { // who need not be a guest
			readers = append(readers, e.Organizer.Email)
		}
		people = Union(people, readers)
	}
	return people
}

// Newcomers returns those of these people who did not see the event.
func Newcomers(people []string, was *calendarapi.Event) []string {
	before := SeenBy(Fields{"recurrence": nil}, was)
	return slices.DeleteFunc(slices.Clone(people), func(who string) bool {
		return slices.ContainsFunc(before, func(one string) bool { return mailmsg.Canonical(one) == mailmsg.Canonical(who) })
	})
}
