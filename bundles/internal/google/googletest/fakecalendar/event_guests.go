package fakecalendar

import (
	"net/mail"
	"reflect"
	"slices"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// maxGuests is the maximum number of guests of an event
// (support.google.com/calendar/answer/37161).
const maxGuests = 200

func guestsOf(event fakeapi.Object) []any {
	all, _ := event["attendees"].([]any)
	return all
}

// guestOf returns the entry of the attendee with that address, or nil.
func guestOf(event fakeapi.Object, address string) fakeapi.Object {
	for _, person := range guestsOf(event) {
		if sameAddress(person, address) {
			return person.(fakeapi.Object)
		}
	}
	return nil
}

var responses = []string{"needsAction", "declined", "tentative", "accepted"}

// setGuests converts the attendees into their stored form.
func (e *edit) setGuests(body fakeapi.Object) error {
	if body["attendeesOmitted"] == true && !e.inserted {
		e.keepOmitted(body)
	}
	var guests []any
	for _, person := range guestsOf(e.next) {
		guest := without(person.(fakeapi.Object), []string{"self", "organizer", "id", "asyncOperation"})
		address := str(guest["email"])
		if address == "" {
			return requiredMissing("Missing attendee email.")
		}
		if parsed, err := mail.ParseAddress(address); err != nil || parsed.Address != address {
			return invalidValue("Invalid attendee email.")
		}
		if !slices.Contains(responses, str(guest["responseStatus"])) {
			guest["responseStatus"] = "needsAction"
		}
		if old := guestOf(e.before, address); old != nil && guest["resource"] != nil {
			guest["resource"] = old["resource"] // "Subsequent modifications are ignored"
		}
		for _, flag := range []string{"optional", "resource", "additionalGuests"} {
			if guest[flag] == nil || guest[flag] == false || guest[flag] == 0.0 {
				delete(guest, flag)
			}
		}
		again := slices.ContainsFunc(guests, func(other any) bool { return sameAddress(other, address) })
		if !again {
			guests = append(guests, guest)
		}
	}
	if len(guests) > maxGuests {
		return calendarProblem(403, "usageLimits", "quotaExceeded", "Calendar usage limits exceeded.")
	}
	delete(e.next, "attendees")
	if len(guests) > 0 {
		e.next["attendees"] = guests
	}
	return nil
}

// answerFields are the fields of an attendee that the attendee sets.
var answerFields = []string{"responseStatus", "comment", "additionalGuests"}

// keepOmitted applies only the participant's answer to the attendees: that is
// the meaning of attendeesOmitted in a request.
func (e *edit) keepOmitted(body fakeapi.Object) {
	stored := guestsOf(clone(e.before))
	if given := guestOf(body, e.calendar.id); given != nil {
		for _, person := range stored {
			if sameAddress(person, e.calendar.id) {
				copyAnswerFields(person.(fakeapi.Object), given)
			}
		}
	}
	e.next["attendees"] = stored
}

func copyAnswerFields(into, from fakeapi.Object) {
	for _, field := range answerFields {
		if value, ok := from[field]; ok {
			into[field] = value
		}
	}
}

// organizes reports whether this calendar is the event's organizer.
func (c *fakeCalendar) organizes(event fakeapi.Object) bool {
	return sameAddress(event["organizer"], c.id)
}

// guestFlags may only be set by the organizer.
var guestFlags = []string{"guestsCanInviteOthers", "guestsCanModify", "guestsCanSeeOtherGuests"}

// checkGuestMayChange refuses changes that only the organizer can make. A guest
// changes their own answer and personal fields, and invites others unless that
// is forbidden. A guest changes everything else only if guestsCanModify is set
// (developers.google.com/workspace/calendar/api/concepts/sharing,
// guides/errors).
func (e *edit) checkGuestMayChange(fakeapi.Object) error {
	if e.inserted || e.calendar.organizes(e.before) {
		return nil
	}
	if slices.ContainsFunc(guestFlags, e.changes) {
		return onlyOrganizer()
	}
	if e.before["guestsCanModify"] == true {
		e.keepUnseen()
		return nil
	}
	ignored := append([]string{"attendees", "status", "sequence", "updated"}, personalFields...)
	before, next := without(shared(e.before), ignored), without(shared(clone(e.next)), ignored)
	if !reflect.DeepEqual(before, next) {
		return onlyOrganizer()
	}
	return e.checkGuestMayInvite()
}

// keepUnseen keeps the attendees that a guest could not see.
func (e *edit) keepUnseen() {
	if e.before["guestsCanSeeOtherGuests"] != false {
		return
	}
	for _, person := range guestsOf(clone(e.before)) {
		if guestOf(e.next, str(person.(fakeapi.Object)["email"])) == nil {
			e.next["attendees"] = append(guestsOf(e.next), person)
		}
	}
}

// checkGuestMayInvite lets a guest answer, and invite others if guests may.
func (e *edit) checkGuestMayInvite() error {
	blind := e.before["guestsCanSeeOtherGuests"] == false
	var guests []any
	for _, person := range guestsOf(clone(e.before)) {
		old := person.(fakeapi.Object)
		given := guestOf(e.next, str(old["email"]))
		own := sameAddress(old, e.calendar.id)
		switch {
		case own && given != nil:
			copyAnswerFields(old, given)
		case !blind && !reflect.DeepEqual(given, person):
			return onlyOrganizer()
		}
		guests = append(guests, old)
	}
	for _, person := range guestsOf(e.next) {
		if guestOf(e.before, str(person.(fakeapi.Object)["email"])) != nil {
			continue
		}
		if e.before["guestsCanInviteOthers"] == false {
			return onlyOrganizer()
		}
		guests = append(guests, person)
	}
	if len(guests) > 0 {
		e.next["attendees"] = guests
	}
	return nil
}

// shared returns the fields that all copies of an event share.
func shared(event fakeapi.Object) fakeapi.Object {
	out := without(event, personalFields)
	properties, _ := out["extendedProperties"].(fakeapi.Object)
	if properties["shared"] == nil {
		delete(out, "extendedProperties")
	} else {
		out["extendedProperties"] = fakeapi.Object{"shared": properties["shared"]}
	}
	return out
}

// isUser reports whether a user of the server has the address.
func isUser(s *fakeapi.Server, address string) bool {
	return s.Accounts[strings.ToLower(address)] != nil
}
