package event

import (
	"fmt"
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

// MaxGuests is how many an event may have, with the user
// (https://support.google.com/calendar/answer/37161).
const MaxGuests = 200

// NoteUninvited says why a call left its guests out, and how they are invited.
const NoteUninvited = "bundles.yaml lets nothing be sent without the user, so the guests are not invited: the user can invite them in Google Calendar; `send: ask` would let it be done here"

// ReadGuests reads addresses to invite, in the order given. Whoever is named
// twice is invited once, and must come if either list says so; the addresses in
// own, which are the user's, are left out.
func ReadGuests(p *eventtime.Problems, required, optional []string, own ...string) []*calendarapi.EventAttendee {
	invited := []*calendarapi.EventAttendee{}
	add := func(path string, list []string, isOptional bool) {
		for i, text := range list {
			a := p.Address(fmt.Sprintf("%s[%d]", path, i), text)
			if text == "" {
				p.Add(fmt.Sprintf("%s[%d]", path, i), `an address such as "ann@example.com"`, "")
			}
			if a == nil || IsOneOf(a.Address, own) || GuestNamed(invited, a.Address) != nil {
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

// IsOneOf reports whether the address is one of those, however written.
func IsOneOf(address string, own []string) bool {
	return slices.ContainsFunc(own, func(o string) bool { return mailmsg.Owner(o) == mailmsg.Owner(address) })
}

// GuestNamed returns the entry of the list with that address, nil when there is
// none.
func GuestNamed(list []*calendarapi.EventAttendee, address string) *calendarapi.EventAttendee {
	for _, a := range list {
		if mailmsg.Canonical(a.Email) == mailmsg.Canonical(address) {
			return a
		}
	}
	return nil
}

// EditGuests returns the list with some guests more and some fewer. All others
// stay as they are, with what they answered.
func EditGuests(list, add []*calendarapi.EventAttendee, remove []string) []*calendarapi.EventAttendee {
	edited := slices.DeleteFunc(slices.Clone(list), func(one *calendarapi.EventAttendee) bool {
		return IsOneOf(one.Email, remove)
	})
	for _, one := range add {
		if GuestNamed(edited, one.Email) == nil {
			edited = append(edited, one)
		}
	}
	return edited
}

// OrganizedByUser reports whether the event is the user's own, or of the calendar
// that it is on.
func OrganizedByUser(e *calendarapi.Event) bool { return e.Organizer != nil && e.Organizer.Self }

// IsUser reports whether the guest is the user: Google's self is whoever has the
// calendar, who may be a colleague.
func IsUser(a *calendarapi.EventAttendee, in *calendarapi.CalendarListEntry) bool {
	return a.Self && in.Primary
}

// Answers are what guests have answered, by Google's name of it, in the order
// in which they are counted.
var Answers = [][2]string{{"accepted", "yes"}, {"declined", "no"}, {"tentative", "maybe"}, {"needsAction", "waiting"}}

// Answer is Google's answer in a word. Anything else than the known ones is no
// answer yet.
func Answer(status string) string {
	for _, a := range Answers {
		if a[0] == status {
			return a[1]
		}
	}
	return "waiting"
}

// sameGuests reports whether the same people are invited to both.
func sameGuests(a, b *calendarapi.Event) bool {
	named := func(list []*calendarapi.EventAttendee) func(*calendarapi.EventAttendee) bool {
		return func(one *calendarapi.EventAttendee) bool { return GuestNamed(list, one.Email) == nil }
	}
	return !slices.ContainsFunc(a.Attendees, named(b.Attendees)) && !slices.ContainsFunc(b.Attendees, named(a.Attendees))
}

// Whom Google mails about a change: nobody, only guests who do not use Google
// Calendar, or all guests. The change shows in the calendars of guests who use
// it whether they are mailed or not. "" is NotifyNone.
const (
	NotifyNone     = "none"
	NotifyExternal = "external"
	NotifyAll      = "all"
)

// Mails reports whether a call asks Google to mail guests.
func Mails(notify string) bool { return notify == NotifyAll || notify == NotifyExternal }

// EffectOf says what a call does that may be a dry run and may reach other people.
func EffectOf(dryRun, reaches bool) metadata.Effect {
	switch {
	case dryRun:
		return metadata.Reads
	case reaches:
		return metadata.Sends
	}
	return metadata.Writes
}
