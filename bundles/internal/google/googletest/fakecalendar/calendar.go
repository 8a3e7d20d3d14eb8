package fakecalendar

import "kota/bundles/internal/google/googletest/fakeapi"

// calendarHandlers are the methods of Calendar that the fake models: all but
// those of push notifications, of changes of who shares a calendar, and of the
// administrator.
func calendarHandlers() map[string]fakeapi.Handler {
	return map[string]fakeapi.Handler{
		"calendar.settings.get":  getSetting,
		"calendar.settings.list": listCalendarSettings,

		"calendar.calendarList.list":   listCalendars,
		"calendar.calendarList.get":    getListing,
		"calendar.calendarList.insert": insertListing,
		"calendar.calendarList.patch":  changeListing,
		"calendar.calendarList.update": changeListing,
		"calendar.calendarList.delete": deleteListing,

		"calendar.calendars.get":    getCalendar,
		"calendar.calendars.insert": insertCalendar,
		"calendar.calendars.patch":  changeCalendar,
		"calendar.calendars.update": changeCalendar,
		"calendar.calendars.delete": deleteCalendar,
		"calendar.calendars.clear":  clearCalendar,

		"calendar.acl.list": listRules,

		"calendar.colors.get": getColors,

		"calendar.events.insert":   insertEvent,
		"calendar.events.get":      getEvent,
		"calendar.events.list":     listEvents,
		"calendar.events.patch":    patchEvent,
		"calendar.events.update":   updateEvent,
		"calendar.events.delete":   deleteEvent,
		"calendar.events.import":   importEvent,
		"calendar.events.move":     moveEvent,
		"calendar.events.quickAdd": quickAdd,

		"calendar.events.instances": listInstances,

		"calendar.freebusy.query": queryFreeBusy,
	}
}

// Service reads Calendar's document.
func Service() (*fakeapi.Service, error) {
	calendar, err := fakeapi.ReadService("calendar/v3/calendar-api.json", calendarHandlers(), newCalendarServer, func(s *fakeapi.Server, address string) any { return newDiary(address, s) })
	if err != nil {
		return nil, err
	}
	// Of a dateTime beside a timeZone the offset may be missing, which the
	// document says in words alone.
	calendar.Schemas["EventDateTime"].Properties["dateTime"].Format = ""
	return calendar, nil
}
