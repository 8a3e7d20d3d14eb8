// Package fakecalendar models Google Calendar for fakeapi. It has calendars and
// their users, events, series and instances, guests and the mail to them, and
// free and busy times.
//
// Where Google's documents are silent it follows the guides
// (developers.google.com/workspace/calendar/api/guides).
//
// Start reading at calendarHandlers, which names a function for each method, and
// at CalendarUser for what a test can do by hand.
package fakecalendar
