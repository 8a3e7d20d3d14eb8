// Package event is what an event of Google Calendar is: its details as arguments
// give them, its guests, whom a change of it reaches, and its fields as JSON, which
// changes compare, send and undo. Everything is a pure function of events. Start
// with [Details] and [Fields].
package event

import (
	"slices"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtime"
)

// Copy returns an event that can be inserted with all that the other has, but
// for what belongs to that one alone.
func Copy(e *calendarapi.Event, id string) *calendarapi.Event {
	copied := *e
	copied.Id, copied.ICalUID, copied.Etag, copied.Kind, copied.HtmlLink, copied.Created, copied.Updated = id, "", "", "", "", "", ""
	copied.Creator, copied.Organizer, copied.Sequence, copied.Locked, copied.PrivateCopy = nil, nil, 0, false, false
	copied.RecurringEventId, copied.OriginalStartTime = "", nil
	copied.ConferenceData, copied.HangoutLink = nil, ""
	copied.Attendees = nil
	for _, one := range e.Attendees {
		guest := *one
		copied.Attendees = append(copied.Attendees, &guest)
	}
	return &copied
}

// When says when an event is.
func When(e *calendarapi.Event, zone *time.Location) string {
	s, ok := eventtime.Of(e, zone)
	if !ok {
		return "a time that Google does not tell"
	}
	return s.Words(zone)
}

// Cancelled is the status of an event that was deleted.
const Cancelled = "cancelled"

// LeavesFree reports whether an event leaves its time free: it is shown as free,
// or whose calendar it is in has declined it.
func LeavesFree(e *calendarapi.Event) bool {
	return e.Transparency == "transparent" ||
		slices.ContainsFunc(e.Attendees, func(a *calendarapi.EventAttendee) bool { return a.Self && a.ResponseStatus == "declined" })
}

// IsPrivate reports whether only its guests see more of the event than its time.
func IsPrivate(e *calendarapi.Event) bool {
	return e.Visibility == "private" || e.Visibility == "confidential"
}
