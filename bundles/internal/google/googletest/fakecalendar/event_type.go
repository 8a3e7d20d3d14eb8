package fakecalendar

import (
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// typeFields are the fields with the details of each event type
// (developers.google.com/workspace/calendar/api/guides/calendar-status).
var typeFields = map[string]string{
	"focusTime":       "focusTimeProperties",
	"outOfOffice":     "outOfOfficeProperties",
	"workingLocation": "workingLocationProperties",
	"birthday":        "birthdayProperties",
}

func badType(format string, args ...any) *fakeapi.Problem {
	return calendarProblem(400, "calendar", "eventTypeRestriction", format, args...)
}

// setType checks the rules of an event's type. The type never changes.
func (e *edit) setType(body fakeapi.Object) error {
	kind := str(e.next["eventType"])
	if kind == "" {
		e.next["eventType"], kind = "default", "default"
	}
	if !e.inserted && kind != str(e.before["eventType"]) {
		return badType("Event type cannot be changed.")
	}
	for other, properties := range typeFields {
		if _, given := body[properties]; given && other != kind && body[properties] != nil {
			return badType("%s can only be set for %s events.", properties, other)
		}
	}
	switch {
	case kind == "default":
		return nil
	case kind == "fromGmail":
		if e.inserted {
			return badType("Events of type fromGmail cannot be created.")
		}
		return nil
	case typeFields[kind] == "":
		return invalidValue("Invalid value for: %s is not a valid value", kind)
	case !e.calendar.primary:
		return badType("Events of type %s can only be created on primary calendars.", kind)
	case e.next[typeFields[kind]] == nil && kind != "birthday":
		return requiredMissing("Missing %s.", typeFields[kind])
	case len(guestsOf(e.next)) > 0:
		return badType("Events of type %s cannot have attendees.", kind)
	}
	return e.setStatus(kind)
}

// setStatus checks the time, visibility and transparency that a status event's
// type requires.
func (e *edit) setStatus(kind string) error {
	start, _ := e.next["start"].(fakeapi.Object)
	end, _ := e.next["end"].(fakeapi.Object)
	allDay := str(start["date"]) != ""
	switch kind {
	case "focusTime", "outOfOffice":
		if allDay {
			return badType("Events of type %s cannot be all-day events.", kind)
		}
		if e.next["transparency"] == "transparent" {
			return badType("Events of type %s must be opaque.", kind)
		}
	case "workingLocation":
		if e.next["visibility"] != "public" || e.next["transparency"] != "transparent" {
			return badType("Working location events must be public and transparent.")
		}
		if allDay && !oneDay(str(start["date"]), str(end["date"])) {
			return badType("All-day working location events must span exactly one day.")
		}
		return checkLocation(e.next["workingLocationProperties"])
	case "birthday":
		if !allDay || !oneDay(str(start["date"]), str(end["date"])) {
			return badType("Birthday events must be all-day events of exactly one day.")
		}
		if e.next["visibility"] != "private" || e.next["transparency"] != "transparent" {
			return badType("Birthday events must be private and transparent.")
		}
	}
	return nil
}

func oneDay(start, end string) bool {
	from, err := time.Parse(time.DateOnly, start)
	return err == nil && from.AddDate(0, 0, 1).Format(time.DateOnly) == end
}

// checkLocation requires a known type of working location.
func checkLocation(value any) error {
	location, _ := value.(fakeapi.Object)
	switch str(location["type"]) {
	case "homeOffice", "officeLocation", "customLocation":
		return nil
	case "":
		return requiredMissing("Missing working location type.")
	}
	return invalidValue("Invalid working location type.")
}
