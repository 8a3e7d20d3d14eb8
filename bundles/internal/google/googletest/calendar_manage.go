package googletest

import (
	"maps"
	"slices"
	"strings"
)

// notSet are the fields of a Calendar that a client may send and not set.
var notSet = []string{"kind", "id", "etag", "dataOwner", "conferenceProperties", "autoAcceptInvitations"}

// insertCalendar makes a secondary calendar of the user, which is put on the
// user's list as well.
func insertCalendar(c *call) (any, error) {
	body := object{}
	if err := c.decode(&body); err != nil {
		return nil, err
	}
	data := object{"timeZone": diaryOf(c.user).primary.data["timeZone"]}
	merge(data, without(body, notSet))
	if err := checkCalendar(data); err != nil {
		return nil, err
	}
	made := newCalendar(c.server, c.server.nextName()+"@group.calendar.google.com", c.user.Address, data)
	diaryOf(c.user).listed(made, object{"selected": true, "colorId": "1", "defaultReminders": []any{}})
	return made.resource(), nil
}

func checkCalendar(data object) error {
	if str(data["summary"]) == "" {
		return missing("Missing title.")
	}
	if _, err := loadZone(data["timeZone"]); err != nil {
		return wrong("Invalid time zone.")
	}
	return nil
}

// changeCalendar patches the calendar, or replaces what is known of it. Only
// an owner may.
func changeCalendar(c *call) (any, error) {
	of, _, err := askedCalendar(c, "owner")
	if err != nil {
		return nil, err
	}
	if err := meets(c, of.etag); err != nil {
		return nil, err
	}
	body := object{}
	if err := c.decode(&body); err != nil {
		return nil, err
	}
	next := object{"timeZone": of.data["timeZone"]}
	if c.method.Verb == "PATCH" {
		next = clone(of.data)
	}
	merge(next, without(body, notSet))
	if err := checkCalendar(next); err != nil {
		return nil, err
	}
	of.data, of.etag = next, nextEtag(c.server)
	if of.primary {
		diaryOf(c.server.user(of.owner)).settings["timezone"] = str(next["timeZone"])
	}
	return of.resource(), nil
}

// deleteCalendar deletes a secondary calendar for everybody.
func deleteCalendar(c *call) (any, error) {
	of, _, err := askedCalendar(c, "owner")
	if err != nil {
		return nil, err
	}
	if of.primary {
		return nil, calendarProblem(400, "calendar", "cannotDeletePrimaryCalendar", "Cannot delete a primary calendar. Use clear to delete all its events.")
	}
	delete(calendarsOf(c.server).calendars, strings.ToLower(of.id))
	for _, user := range c.server.users {
		diaryOf(user).list = slices.DeleteFunc(diaryOf(user).list, func(l *listing) bool { return l.calendar == of })
	}
	return nil, nil
}

// clearCalendar deletes all events of a primary calendar.
func clearCalendar(c *call) (any, error) {
	of, _, err := askedCalendar(c, "owner")
	if err != nil {
		return nil, err
	}
	if !of.primary {
		return nil, calendarProblem(400, "global", "invalid", "Only primary calendars can be cleared.")
	}
	for _, e := range of.all() {
		if !e.cancelled() {
			e.data = clone(e.data)
			e.data["status"] = "cancelled"
			of.put(e)
		}
	}
	return nil, nil
}

// listed are the fields of a listing that the user sets; all others are the
// calendar's, or cannot be changed.
var listed = []string{"backgroundColor", "colorId", "defaultReminders", "foregroundColor", "hidden", "notificationSettings", "selected", "summaryOverride"}

// insertListing puts a calendar on the user's list that the user may see.
func insertListing(c *call) (any, error) {
	body := object{}
	if err := c.decode(&body); err != nil {
		return nil, err
	}
	of, _, err := calendarUser{c.user}.calendarFor(str(body["id"]))
	if err != nil {
		return nil, err
	}
	data := object{"colorId": "1", "selected": true, "defaultReminders": []any{}}
	if err := setListing(c, data, body); err != nil {
		return nil, err
	}
	return calendarUser{c.user}.entryOf(diaryOf(c.user).listed(of, data)), nil
}

// changeListing patches the entry of the user's list, or replaces it.
func changeListing(c *call) (any, error) {
	entry, err := askedListing(c)
	if err != nil {
		return nil, err
	}
	if err := meets(c, entry.number()); err != nil {
		return nil, err
	}
	body := object{}
	if err := c.decode(&body); err != nil {
		return nil, err
	}
	data := object{"colorId": entry.data["colorId"], "defaultReminders": []any{}}
	if c.method.Verb == "PATCH" {
		data = clone(entry.data)
	}
	if err := setListing(c, data, body); err != nil {
		return nil, err
	}
	entry.data, entry.etag = data, nextEtag(c.server)
	return calendarUser{c.user}.entryOf(entry), nil
}

// setListing takes what the body sets: colours in hexadecimal only where the
// call says colorRgbFormat.
func setListing(c *call, data, body object) error {
	change := maps.Clone(body)
	maps.DeleteFunc(change, func(name string, _ any) bool { return !slices.Contains(listed, name) })
	if c.query.Get("colorRgbFormat") != "true" {
		change = without(change, []string{"backgroundColor", "foregroundColor"})
	}
	if id, given := change["colorId"].(string); given {
		if calendarPalette()[id] == "" {
			return wrong("Invalid color id.")
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
	return checkReminders(object{"reminders": object{"overrides": data["defaultReminders"]}})
}

// deleteListing takes a calendar off the user's list, which it does not delete.
func deleteListing(c *call) (any, error) {
	entry, err := askedListing(c)
	if err != nil {
		return nil, err
	}
	if entry.calendar == diaryOf(c.user).primary {
		return nil, notAllowed("Cannot remove the primary calendar.")
	}
	entry.deleted, entry.etag = true, nextEtag(c.server)
	return nil, nil
}
