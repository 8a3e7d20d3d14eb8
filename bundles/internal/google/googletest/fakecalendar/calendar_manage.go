package fakecalendar

import (
	"maps"
	"slices"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// ignoredCalendarFields are the fields of a Calendar that a client may send without effect.
var ignoredCalendarFields = []string{"kind", "id", "etag", "dataOwner", "conferenceProperties", "autoAcceptInvitations"}

// insertCalendar makes a secondary calendar of the user, and adds it to their
// list.
func insertCalendar(c *fakeapi.Call) (any, error) {
	body := fakeapi.Object{}
	if err := c.Decode(&body); err != nil {
		return nil, err
	}
	data := fakeapi.Object{"timeZone": calendarListOf(c.Account).primary.data["timeZone"]}
	merge(data, without(body, ignoredCalendarFields))
	if err := checkCalendar(data); err != nil {
		return nil, err
	}
	made := newCalendar(c.Server, c.Server.NextName()+"@group.calendar.google.com", c.Account.Address, data)
	calendarListOf(c.Account).addEntry(made, fakeapi.Object{"selected": true, "colorId": "1", "defaultReminders": []any{}})
	return made.resource(), nil
}

func checkCalendar(data fakeapi.Object) error {
	if str(data["summary"]) == "" {
		return requiredMissing("Missing title.")
	}
	if _, err := loadZone(data["timeZone"]); err != nil {
		return invalidValue("Invalid time zone.")
	}
	return nil
}

// changeCalendar patches the calendar. Only an owner may do that.
func changeCalendar(c *fakeapi.Call) (any, error) {
	calendar, _, err := requestedCalendar(c, "owner")
	if err != nil {
		return nil, err
	}
	if err := checkConditions(c, calendar.etag); err != nil {
		return nil, err
	}
	body := fakeapi.Object{}
	if err := c.Decode(&body); err != nil {
		return nil, err
	}
	next := clone(calendar.data)
	merge(next, without(body, ignoredCalendarFields))
	if err := checkCalendar(next); err != nil {
		return nil, err
	}
	calendar.data, calendar.etag = next, nextEtag(c.Server)
	return calendar.resource(), nil
}

// deleteCalendar deletes a secondary calendar for everybody.
func deleteCalendar(c *fakeapi.Call) (any, error) {
	calendar, _, err := requestedCalendar(c, "owner")
	if err != nil {
		return nil, err
	}
	if calendar.primary {
		return nil, calendarProblem(400, "calendar", "cannotDeletePrimaryCalendar", "Cannot delete a primary calendar. Use clear to delete all its events.")
	}
	delete(calendarsOf(c.Server).calendars, strings.ToLower(calendar.id))
	for _, user := range c.Server.Accounts {
		calendarListOf(user).list = slices.DeleteFunc(calendarListOf(user).list, func(l *listEntry) bool { return l.calendar == calendar })
	}
	return nil, nil
}

// listEntryFields are the fields of a list entry that the user sets.
var listEntryFields = []string{"backgroundColor", "colorId", "defaultReminders", "foregroundColor", "hidden", "notificationSettings", "selected", "summaryOverride"}

// insertListing adds a calendar that the user may see to their list.
func insertListing(c *fakeapi.Call) (any, error) {
	body := fakeapi.Object{}
	if err := c.Decode(&body); err != nil {
		return nil, err
	}
	calendar, _, err := CalendarUser{c.Account}.calendarFor(str(body["id"]))
	if err != nil {
		return nil, err
	}
	data := fakeapi.Object{"colorId": "1", "selected": true, "defaultReminders": []any{}}
	if err := setListing(c, data, body); err != nil {
		return nil, err
	}
	return CalendarUser{c.Account}.entryOf(calendarListOf(c.Account).addEntry(calendar, data)), nil
}

// changeListing patches the entry of the user's list.
func changeListing(c *fakeapi.Call) (any, error) {
	entry, err := requestedEntry(c)
	if err != nil {
		return nil, err
	}
	if err := checkConditions(c, entry.number()); err != nil {
		return nil, err
	}
	body := fakeapi.Object{}
	if err := c.Decode(&body); err != nil {
		return nil, err
	}
	data := clone(entry.data)
	if err := setListing(c, data, body); err != nil {
		return nil, err
	}
	entry.data, entry.etag = data, nextEtag(c.Server)
	return CalendarUser{c.Account}.entryOf(entry), nil
}

// setListing applies the body to an entry. Hexadecimal colours need
// colorRgbFormat.
func setListing(c *fakeapi.Call, data, body fakeapi.Object) error {
	change := maps.Clone(body)
	maps.DeleteFunc(change, func(name string, _ any) bool { return !slices.Contains(listEntryFields, name) })
	if c.Query.Get("colorRgbFormat") != "true" {
		change = without(change, []string{"backgroundColor", "foregroundColor"})
	}
	if id, given := change["colorId"].(string); given {
		if calendarPalette()[id] == "" {
			return invalidValue("Invalid color id.")
		}
		delete(data, "backgroundColor")
		delete(data, "foregroundColor")
	}
	merge(data, change)
	for _, flag := range []string{"hidden", "selected"} {
		if data[flag] == false {
			delete(data, flag)
		}
	}
	return checkReminders(fakeapi.Object{"reminders": fakeapi.Object{"overrides": data["defaultReminders"]}})
}

// deleteListing removes a calendar from the user's list. The calendar stays.
func deleteListing(c *fakeapi.Call) (any, error) {
	entry, err := requestedEntry(c)
	if err != nil {
		return nil, err
	}
	if entry.calendar == calendarListOf(c.Account).primary {
		return nil, calendarProblem(403, "calendar", "forbidden", "Cannot remove the primary calendar.")
	}
	entry.deleted, entry.etag = true, nextEtag(c.Server)
	return nil, nil
}
