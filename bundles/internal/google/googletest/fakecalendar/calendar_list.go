package fakecalendar

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// calendarFor returns the calendar with that id and the user's role in it;
// "primary" is the user's primary calendar. A calendar that the user may not
// see does not exist.
func (u CalendarUser) calendarFor(id string) (*fakeCalendar, string, error) {
	if id == "primary" {
		return calendarListOf(u.Account).primary, "owner", nil
	}
	found := calendarAt(u.Server, id)
	if found == nil || found.roleOf(u.Address) == "" {
		return nil, "", notFound()
	}
	return found, found.roleOf(u.Address), nil
}

// calendarAt returns the calendar with that id, or nil.
func calendarAt(s *fakeapi.Server, id string) *fakeCalendar {
	return calendarsOf(s).calendars[strings.ToLower(id)]
}

// requestedCalendar returns the calendar of the call and the user's role in it.
// It refuses a user with less than minRole.
func requestedCalendar(c *fakeapi.Call, minRole string) (*fakeCalendar, string, error) {
	found, role, err := CalendarUser{c.Account}.calendarFor(c.Vars["calendarId"])
	if err != nil {
		return nil, "", err
	}
	if ranks[role] < ranks[minRole] {
		return nil, "", needsAccess(minRole)
	}
	return found, role, nil
}

// resource returns the calendar as calendars.get returns it.
func (c *fakeCalendar) resource() fakeapi.Object {
	r := maps.Clone(c.data)
	r["kind"], r["id"], r["etag"] = "calendar#calendar", c.id, etag(c.etag)
	r["conferenceProperties"] = fakeapi.Object{"allowedConferenceSolutionTypes": []string{"hangoutsMeet"}}
	if !c.primary {
		r["dataOwner"] = c.owner
	}
	return r
}

func getCalendar(c *fakeapi.Call) (any, error) {
	found, _, err := requestedCalendar(c, "freeBusyReader")
	if err != nil {
		return nil, err
	}
	if err := checkConditions(c, found.etag); err != nil {
		return nil, err
	}
	return found.resource(), nil
}

// entryOf returns the calendar as calendarList.get returns it to the user.
func (u CalendarUser) entryOf(l *listEntry) fakeapi.Object {
	r := l.calendar.resource()
	maps.Copy(r, l.data)
	r["kind"], r["etag"] = "calendar#calendarListEntry", etag(l.number())
	r["accessRole"] = l.calendar.roleOf(u.Address)
	if l.calendar == calendarListOf(u.Account).primary {
		r["primary"] = true
	}
	if l.deleted {
		r["deleted"] = true
	}
	if palette := calendarPalette(); r["backgroundColor"] == nil {
		color := palette[fmt.Sprint(r["colorId"])]
		r["backgroundColor"], r["foregroundColor"] = color, "#1d1d1d"
	}
	return r
}

// number returns the number for the entry's etag, which also covers the
// calendar.
func (l *listEntry) number() uint64 { return max(l.etag, l.calendar.etag) }

// requestedEntry returns the entry of the user's list for the call.
func requestedEntry(c *fakeapi.Call) (*listEntry, error) {
	found, _, err := requestedCalendar(c, "freeBusyReader")
	if err != nil {
		return nil, err
	}
	entry := calendarListOf(c.Account).entry(found)
	if entry == nil || entry.deleted {
		return nil, notFound()
	}
	return entry, nil
}

func getListing(c *fakeapi.Call) (any, error) {
	entry, err := requestedEntry(c)
	if err != nil {
		return nil, err
	}
	shown := CalendarUser{c.Account}.entryOf(entry)
	if err := checkConditions(c, entry.number()); err != nil {
		return nil, err
	}
	return shown, nil
}

func listCalendars(c *fakeapi.Call) (any, error) {
	sync, err := synchronizeCalendars(c)
	if err != nil {
		return nil, err
	}
	minRank := ranks[c.Query.Get("minAccessRole")]
	entries := slices.DeleteFunc(slices.Clone(calendarListOf(c.Account).list), func(l *listEntry) bool {
		return !sync.includesEntry(l) || ranks[l.calendar.roleOf(c.Account.Address)] < max(1, minRank)
	})
	slices.SortFunc(entries, func(a, b *listEntry) int { return strings.Compare(a.calendar.id, b.calendar.id) })
	entries, next, err := fakeapi.Paginate(c, entries, 100, 250, func(l *listEntry) string { return l.calendar.id })
	if err != nil {
		return nil, err
	}
	items := []fakeapi.Object{}
	for _, l := range entries {
		items = append(items, CalendarUser{c.Account}.entryOf(l))
	}
	return sync.finish(fakeapi.Object{"kind": "calendar#calendarList", "etag": etag(calendarsOf(c.Server).etags), "items": items}, next), nil
}

// pageOf adds the token of the next page to a page of a list. After the last
// page the token is "", and pageOf adds nothing.
func pageOf(list fakeapi.Object, next string) fakeapi.Object {
	if next != "" {
		list["nextPageToken"] = next
	}
	return list
}

// calendarPalette returns the 24 colours of calendars by colorId, and
// eventPalette the 11 of events, as colors.get returns them.
func calendarPalette() map[string]string {
	return numbered("#ac725e", "#d06b64", "#f83a22", "#fa573c", "#ff7537", "#ffad46", "#42d692", "#16a765",
		"#7bd148", "#b3dc6c", "#fbe983", "#fad165", "#92e1c0", "#9fe1e7", "#9fc6e7", "#4986e7",
		"#9a9cff", "#b99aff", "#c2c2c2", "#cabdbf", "#cca6ac", "#f691b2", "#cd74e6", "#a47ae2")
}

func eventPalette() map[string]string {
	return numbered("#a4bdfc", "#7ae7bf", "#dbadff", "#ff887c", "#fbd75b", "#ffb878", "#46d6db", "#e1e1e1",
		"#5484ed", "#51b749", "#dc2127")
}

func numbered(colors ...string) map[string]string {
	byID := map[string]string{}
	for i, color := range colors {
		byID[strconv.Itoa(i+1)] = color
	}
	return byID
}
