package event

import (
	"fmt"
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

// MaxGuests is the maximum number of guests
// (https://support.google.com/calendar/answer/37161).
const MaxGuests = 200

// NoteUninvited is the note of a call that did not invite its guests: the reason, and how
// they can be invited.
const NoteUninvited = "the guests are not invited, because bundles.yaml allows only the user to send. The user can invite them in Google Calendar, or set `send: ask`, which lets KOTA invite them after approval"

// ReadGuests reads the addresses to invite, in the given order. A guest in both lists is
// invited once, as required. ReadGuests leaves out ownAddresses, which are the user's.
func ReadGuests(p *eventtime.Problems, required, optional []string, ownAddresses ...string) []*calendarapi.EventAttendee {
	invited := []*calendarapi.EventAttendee{}
	add := func(path string, list []string, isOptional bool) {
		for i, text := range list {
			a := p.Address(fmt.Sprintf("%s[%d]", path, i), text)
			if text == "" {
				p.Add(fmt.Sprintf("%s[%d]", path, i), `an address such as "ann@example.com"`, "")
			}
			if a == nil || IsOneOf(a.Address, ownAddresses) || FindGuest(invited, a.Address) != nil {
				continue
			}
			invited = append(invited, &calendarapi.EventAttendee{Email: a.Address, DisplayName: a.Name, Optional: isOptional})
		}
	}
	add("attendees", required, false)
	add("optional_attendees", optional, true)
	if len(invited) > MaxGuests {
		p.Add("attendees", fmt.Sprintf("at most %d guests", MaxGuests), fmt.Sprintf("%d", len(invited)))
	}
	return invited
}

// IsOneOf reports whether the list has an address with the same owner as address: see
// mailmsg.OwnerKey.
func IsOneOf(address string, list []string) bool {
	return slices.ContainsFunc(list, func(o string) bool { return mailmsg.OwnerKey(o) == mailmsg.OwnerKey(address) })
}

// FindGuest returns the guest with that address, or nil.
func FindGuest(list []*calendarapi.EventAttendee, address string) *calendarapi.EventAttendee {
	for _, a := range list {
		if mailmsg.Canonical(a.Email) == mailmsg.Canonical(address) {
			return a
		}
	}
	return nil
}

// EditGuests returns the list with some guests added and some removed. All other guests
// stay, with their answers.
func EditGuests(list, add []*calendarapi.EventAttendee, remove []string) []*calendarapi.EventAttendee {
	edited := slices.DeleteFunc(slices.Clone(list), func(one *calendarapi.EventAttendee) bool {
		return IsOneOf(one.Email, remove)
	})
	for _, one := range add {
		if FindGuest(edited, one.Email) == nil {
			edited = append(edited, one)
		}
	}
	return edited
}

// OrganizedByUser reports whether the organizer of an event is the user, or the calendar
// that holds the event.
func OrganizedByUser(e *calendarapi.Event) bool { return e.Organizer != nil && e.Organizer.Self }

// IsUser reports whether the guest is the user. It is true only in the primary calendar:
// Google's field self marks the owner of the calendar, who may be a colleague.
func IsUser(a *calendarapi.EventAttendee, calendar *calendarapi.CalendarListEntry) bool {
	return a.Self && calendar.Primary
}

// Answers pairs Google's words for guests' answers with KOTA's words. Counts of answers are
// listed in this order.
var Answers = [][2]string{{"accepted", "yes"}, {"declined", "no"}, {"tentative", "maybe"}, {"needsAction", "waiting"}}

// Answer returns KOTA's word for Google's answer. An unknown value counts as no answer yet.
func Answer(status string) string {
	for _, a := range Answers {
		if a[0] == status {
			return a[1]
		}
	}
	return "waiting"
}

// sameGuests reports whether the two events have the same guests.
func sameGuests(a, b *calendarapi.Event) bool {
	absentFrom := func(list []*calendarapi.EventAttendee) func(*calendarapi.EventAttendee) bool {
		return func(one *calendarapi.EventAttendee) bool { return FindGuest(list, one.Email) == nil }
	}
	return !slices.ContainsFunc(a.Attendees, absentFrom(b.Attendees)) && !slices.ContainsFunc(b.Attendees, absentFrom(a.Attendees))
}

// Values of notify select the guests that Google mails about a change: nobody, only
// guests who do not use Google Calendar, or all guests. Guests who use Google Calendar
// see the change there in any case. "" means NotifyNone.
const (
	NotifyNone     = "none"
	NotifyExternal = "external"
	NotifyAll      = "all"
)

// SendsMail reports whether the value of notify makes Google mail guests.
func SendsMail(notify string) bool { return notify == NotifyAll || notify == NotifyExternal }

// EffectOf returns the effect of a call: Reads for a dry run, Sends if the call reaches
// other people, and Writes otherwise.
func EffectOf(dryRun, reachesPeople bool) metadata.Effect {
	switch {
	case dryRun:
		return metadata.Reads
	case reachesPeople:
		return metadata.Sends
	}
	return metadata.Writes
}
