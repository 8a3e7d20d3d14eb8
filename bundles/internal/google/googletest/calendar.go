package googletest

// calendarHandlers are the methods of Calendar that the fake models: all but
// those of push notifications, sharing and the administrator.
func calendarHandlers() map[string]handler {
	return map[string]handler{
		"calendar.settings.get":  getSetting,
		"calendar.settings.list": listCalendarSettings,

		"calendar.calendarList.list": listCalendars,
		"calendar.calendarList.get":  getListing,

		"calendar.calendars.get": getCalendar,

		"calendar.colors.get": getColors,

		"calendar.events.insert": insertEvent,
		"calendar.events.get":    getEvent,
		"calendar.events.list":   listEvents,
		"calendar.events.patch":  patchEvent,
		"calendar.events.update": updateEvent,
		"calendar.events.delete": deleteEvent,

		"calendar.events.instances": listInstances,

		"calendar.freebusy.query": queryFreeBusy,
	}
}
