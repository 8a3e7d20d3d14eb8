package fakecalendar

import "kota/bundles/internal/google/googletest/fakeapi"

// calendarHandlers returns a handler for each method of Calendar that KOTA
// calls, by the method's id. The fake has no others.
func calendarHandlers() map[string]fakeapi.Handler {
	return map[string]fakeapi.Handler{
		"calendar.calendarList.list":   listCalendars,
		"calendar.calendarList.get":    getListing,
		"calendar.calendarList.insert": insertListing,
		"calendar.calendarList.patch":  changeListing,
		"calendar.calendarList.delete": deleteListing,

		"calendar.calendars.get":    getCalendar,
		"calendar.calendars.insert": insertCalendar,
		"calendar.calendars.patch":  changeCalendar,
		"calendar.calendars.delete": deleteCalendar,

		"calendar.acl.list": listRules,

		"calendar.events.insert": insertEvent,
		"calendar.events.get":    getEvent,
		"calendar.events.list":   listEvents,
		"calendar.events.patch":  patchEvent,
		"calendar.events.delete": deleteEvent,
		"calendar.events.import": importEvent,
		"calendar.events.move":   moveEvent,

		"calendar.events.instances": listInstances,

		"calendar.freebusy.query": queryFreeBusy,
	}
}

// Service returns the fake Calendar service, made from Google's API description
// of Calendar.
func Service() (*fakeapi.Service, error) {
	calendar, err := fakeapi.ReadService("calendar/v3/calendar-api.json", calendarHandlers(), newCalendarServer, func(s *fakeapi.Server, address string) any { return newCalendarList(address, s) })
	if err != nil {
		return nil, err
	}
	// With a timeZone, a dateTime may have no offset. The document says so only
	// in words.
	calendar.Schemas["EventDateTime"].Properties["dateTime"].Format = ""
	return calendar, nil
}
