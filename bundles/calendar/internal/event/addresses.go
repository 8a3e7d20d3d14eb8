package event

import (
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/mailmsg"
)

// hiddenGuests stands for guests whose addresses Google does not show. A change reaches
// them too.
const hiddenGuests = "guests whom Google does not show"

// Addresses returns the guests of an event: the people that a change reaches. It leaves out
// rooms, the calendar itself and the addresses in own, which are the user's.
func Addresses(e *calendarapi.Event, own ...string) []string {
	addresses := []string{}
	for _, a := range e.Attendees {
		if !a.Self && !a.Resource && !IsOneOf(a.Email, own) {
			addresses = append(addresses, a.Email)
		}
	}
	if e.AttendeesOmitted {
		addresses = append(addresses, hiddenGuests)
	}
	return addresses
}

// AddressesOfAll returns the guests of all these events, without the cancelled ones. An
// instance of a series may have guests that the series does not have.
func AddressesOfAll(list []*calendarapi.Event, own ...string) []string {
	people := []string{}
	for _, e := range list {
		if e.Status != Cancelled {
			people = Union(people, Addresses(e, own...))
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

// Audience returns the people whose calendars show a change: the guests of all versions,
// and the organizer if that is not the user. It returns nobody if the patch changes only
// fields of the user's own copy.
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
// was is the event before the change.
func NewViewers(people []string, was *calendarapi.Event) []string {
	viewers := Audience(Fields{"recurrence": nil}, was)
	return slices.DeleteFunc(slices.Clone(people), func(who string) bool {
		return slices.ContainsFunc(viewers, func(one string) bool { return mailmsg.Canonical(one) == mailmsg.Canonical(who) })
	})
}
