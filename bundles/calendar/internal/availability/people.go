package availability

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/slots"
	"kota/bundles/internal/timeparse"
	"kota/bundles/internal/untrusted"
)

// An invitee is a person whose time is checked, with the calendars to read.
type invitee struct {
	who       string   // an address; "you" for the user
	calendars []string // ids; for other people their address
	names     []string // names of these calendars, for answers

	provenance  map[string]*untrusted.Provenance // provenance of the names, keyed by calendar id; nil for a name that the user chose
	optional    bool
	zone        *time.Location // nil if not given
	hours       slots.Hours    // nil if not given
	zoneAssumed bool           // the person's zone is unknown, so the user's zone is assumed
}

// you is the word for the user in answers.
const you = "you"

// maxInvitees limits the people and calendars of one call.
const maxInvitees = 50

// readInvitee reads an address, optionally with the person's zone and working hours:
// "ann@example.com America/New_York 10:00-18:00".
func readInvitee(p *eventtime.Problems, path, text string) (invitee, bool) {
	const expected = `an address such as "ann@example.com", or with zone and hours "ann@example.com America/New_York 10:00-18:00"`
	fields := strings.Fields(text)
	last := len(fields) - 1
	for last >= 0 && !strings.Contains(fields[last], "@") {
		last--
	}
	address, err := mailmsg.ParseAddress(strings.Trim(strings.Join(fields[:last+1], " "), ",;"))
	if err != nil {
		p.Add(path, expected, text)
		return invitee{}, false
	}
	one := invitee{who: address.Address, calendars: []string{address.Address}, names: []string{address.Address}}
	hours := ""
	for _, field := range fields[last+1:] {
		if field = strings.Trim(field, "(),;"); strings.Trim(field, "0123456789:,-–apmAPM") == "" {
			hours += "," + field
			continue
		}
		if strings.EqualFold(field, "optional") {
			one.optional = true
			continue
		}
		if one.zone, err = timeparse.Zone(field); err != nil {
			p.AddTime(path, field, err)
			return invitee{}, false
		}
	}
	if hours != "" {
		if one.hours, err = slots.ParseHours(strings.Trim(hours, ",")); err != nil {
			p.Add(path, err.Error(), text)
			return invitee{}, false
		}
	}
	return one, true
}

// readInvitees reads the participants: first the user, then the others, without duplicates.
func readInvitees(a *agenda.Agenda, p *eventtime.Problems, set *agenda.Set, required, optional []string) []*invitee {
	invitees := []*invitee{{who: you, calendars: []string{set.Primary().Id}, names: []string{you}, provenance: map[string]*untrusted.Provenance{}}}
	add := func(path string, list []string, optional bool) {
		for i, text := range list {
			one, ok := readInvitee(p, fmt.Sprintf("%s[%d]", path, i), text)
			if !ok {
				continue
			}
			one.optional = one.optional || optional
			known := slices.IndexFunc(invitees, func(other *invitee) bool { return strings.EqualFold(other.calendars[0], one.calendars[0]) })
			if strings.EqualFold(one.who, a.Account.Address) {
				known = 0
			}
			if known < 0 {
				invitees = append(invitees, &one)
				continue
			}
			invitees[known].zone = cmp.Or(invitees[known].zone, one.zone)
			if invitees[known].hours == nil {
				invitees[known].hours = one.hours
			}
		}
	}
	add("attendees", required, false)
	add("optional_attendees", optional, true)
	return invitees
}

// addCalendars adds calendars in which the user may be busy. "all" means those that the
// user owns.
func addCalendars(ctx context.Context, a *agenda.Agenda, user *invitee, set *agenda.Set, names []string) error {
	add := func(e *calendarapi.CalendarListEntry) {
		if !slices.Contains(user.calendars, e.Id) {
			user.calendars, user.names = append(user.calendars, e.Id), append(user.names, you+": "+agenda.ShortTitle(e))
			user.provenance[e.Id] = set.TitleProvenance(ctx, e)
		}
	}
	for i, name := range names {
		if strings.EqualFold(name, agenda.All) && set.Find(name) == nil {
			for _, e := range set.List {
				if e.AccessRole == "owner" {
					add(e)
				}
			}
			continue
		}
		e, err := a.FindArgument(ctx, fmt.Sprintf("calendars[%d]", i), name)
		if err != nil {
			return err
		}
		add(e)
	}
	return nil
}

// applyDefaults sets the missing zones and working hours. A missing zone becomes that of
// the person's calendar in set, or userZone if that is unknown. The user's missing zone
// becomes userZone. applyDefaults returns an error if there are more than maxInvitees
// people and calendars.
func applyDefaults(invitees []*invitee, set *agenda.Set, userZone *time.Location, hours slots.Hours) error {
	calendars := 0
	for i, one := range invitees {
		calendars += len(one.calendars)
		if one.hours == nil {
			one.hours = hours
		}
		if one.zone == nil && i > 0 {
			one.zone, one.zoneAssumed = set.KnownZone(one.calendars[0])
		}
		if one.zone == nil {
			one.zone = userZone
		}
	}
	if calendars > maxInvitees {
		return arguments.Invalid("attendees", fmt.Sprintf("at most %d people and calendars", maxInvitees), fmt.Sprint(calendars))
	}
	return nil
}

// calendarIDs returns the calendar ids of all people, without duplicates.
func calendarIDs(invitees []*invitee) []string {
	list := []string{}
	for _, one := range invitees {
		for _, id := range one.calendars {
			if !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
	}
	return list
}

// person returns the invitee with the busy times, for the slot search. It also returns
// the calendars whose times are unknown.
func (one *invitee) person(times map[string]busyTime, days slots.Days) (slots.Person, []UnknownTime) {
	p := slots.Person{Optional: one.optional, Zone: one.zone, Hours: one.hours, Days: days}
	unknown := []UnknownTime{}
	for i, id := range one.calendars {
		t := times[id]
		p.Busy, p.Unknown = append(p.Busy, t.busy...), append(p.Unknown, t.unknown...)
		if len(t.unknown) > 0 {
			unknown = append(unknown, UnknownTime{one.names[i], t.reason, one.provenance[id]})
		}
	}
	return p, unknown
}
