package event

import (
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/mailmsg"
)

// hiddenGuests stands in a list of people for the guests whose addresses Google does not
// show. A change also reaches these guests.
const hiddenGuests = "guests whom Google does not show"

// Addresses returns the guests of an event: the people that a change reaches. It leaves out
// rooms, the calendar itself and ownAddresses, which are the user's.
func Addresses(e *calendarapi.Event, ownAddresses ...string) []string {
	addresses := []string{}
	for _, a := range e.Attendees {
		if !a.Self && !a.Resource && !IsOneOf(a.Email, ownAddresses) {
			addresses = append(addresses, a.Email)
		}
	}
	if e.AttendeesOmitted {
		addresses = append(addresses, hiddenGuests)
	}
	return addresses
}

// AddressesOfAll returns the guests of all events in the list that are not cancelled. An
// instance of a series may have guests that the series does not have.
func AddressesOfAll(list []*calendarapi.Event, ownAddresses ...string) []string {
	people := []string{}
	for _, e := range list {
		if e.Status != Cancelled {
			people = Union(people, Addresses(e, ownAddresses...))
		}
	}
	return people
}

// Union returns the people in the lists, without duplicates.
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

// Audience returns the people whose calendars show a change. These are the guests of all
// versions of the event, and its organizer if that is not the user. It returns nobody if
// the patch changes only fields of the user's own copy.
func Audience(patch Fields, versions ...*calendarapi.Event) []string {
	people := []string{}
	if patch.IsPersonal() {
		return people
	}
	for _, e := range versions {
		readers := Addresses(e)
		if e.Organizer != nil && !e.Organizer.Self && e.Organizer.Email != "" { // an organizer need not be a guest
			readers = append(readers, e.Organizer.Email)
		}
		people = Union(people, readers)
	}
	return people
}

// NewViewers returns the people in the list who did not see the event before the change.
// old is the event before the change.
func NewViewers(people []string, old *calendarapi.Event) []string {
	viewers := Audience(Fields{"recurrence": nil}, old)
	return slices.DeleteFunc(slices.Clone(people), func(who string) bool {
		return slices.ContainsFunc(viewers, func(one string) bool { return mailmsg.Canonical(one) == mailmsg.Canonical(who) })
	})
}
