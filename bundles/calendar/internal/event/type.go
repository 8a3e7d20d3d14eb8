package event

import (
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtime"
)

// Types of events, with the names that arguments use. All except TypeDefault show where the
// user is or what the user does. Google stores those only in the primary calendar and
// without guests
// (https://developers.google.com/workspace/calendar/api/guides/calendar-status).
const (
	TypeDefault  = "default"
	typeFocus    = "focus"
	TypeOOO      = "ooo"
	typeLocation = "working_location"
)

// SetType gives the event its type. It must run after all other fields are set. decline
// selects the invitations that Google declines during the event.
func SetType(p *eventtime.Problems, e *calendarapi.Event, kind, decline string, calendar *calendarapi.CalendarListEntry) {
	if kind == "" || kind == TypeDefault {
		if decline != "" && decline != DeclineNone {
			p.Add("decline", `none: only events of type focus or ooo decline invitations`, decline)
		}
		return
	}
	if !calendar.Primary {
		p.Add("calendar", "omitted: events of type "+kind+" are kept in the primary calendar", calendar.Id)
	}
	if len(e.Attendees) > 0 {
		p.Add("attendees", "omitted: an event of type "+kind+" has no guests", e.Attendees[0].Email)
	}
	if e.ConferenceData != nil {
		p.Add("meet", "omitted: an event of type "+kind+" has no video call", "true")
	}
	switch kind {
	case typeLocation:
		setWorkingLocation(p, e)
	case typeFocus:
		e.EventType = "focusTime"
		e.FocusTimeProperties = &calendarapi.EventFocusTimeProperties{AutoDeclineMode: declineModes[decline], ChatStatus: "doNotDisturb"}
		checkBlockingEvent(p, e, kind, "Focus time")
	case TypeOOO:
		e.EventType = "outOfOffice"
		e.OutOfOfficeProperties = &calendarapi.EventOutOfOfficeProperties{AutoDeclineMode: declineModes[decline]}
		checkBlockingEvent(p, e, kind, "Out of office")
	}
}

// DeclineNone makes Google decline no invitations during the event. "" means the same. With
// any other value, Google informs the organizers of the declined invitations.
const DeclineNone = "none"

var declineModes = map[string]string{
	"":          "declineNone",
	DeclineNone: "declineNone",
	"new":       "declineOnlyNewConflictingInvitations",
	"all":       "declineAllConflictingInvitations",
}

// checkBlockingEvent checks Google's rules for an event that blocks the time. It sets
// defaultTitle if the event has no title.
func checkBlockingEvent(p *eventtime.Problems, e *calendarapi.Event, kind, defaultTitle string) {
	if e.Start != nil && e.Start.Date != "" {
		p.Add("start", `a time, because an event of type `+kind+` cannot be all-day: "`+e.Start.Date+`T00:00", with duration "1 day"`, e.Start.Date)
	}
	if e.Transparency == "transparent" {
		p.Add("show_as", "busy: an event of type "+kind+" blocks the time", "free")
	}
	if e.Summary == "" {
		e.Summary = defaultTitle
	}
}

// setWorkingLocation reads from the event's location where the user works: "home",
// "office", "office: Main Street" or any other place.
func setWorkingLocation(p *eventtime.Problems, e *calendarapi.Event) {
	where, place, _ := strings.Cut(e.Location, ":")
	place = strings.TrimSpace(place)
	at := &calendarapi.EventWorkingLocationProperties{}
	defaultTitle := e.Location
	switch strings.ToLower(strings.TrimSpace(where)) {
	case "":
		p.Add("location", `where the user works: "home", "office", "office: Main Street" or another place`, e.Location)
		return
	case "home":
		at.Type, at.HomeOffice, defaultTitle = "homeOffice", map[string]any{}, "Home"
	case "office":
		at.Type, defaultTitle = "officeLocation", "Office"
		at.OfficeLocation = &calendarapi.EventWorkingLocationPropertiesOfficeLocation{Label: place}
		if place != "" {
			defaultTitle = place
		}
	default:
		at.Type = "customLocation"
		at.CustomLocation = &calendarapi.EventWorkingLocationPropertiesCustomLocation{Label: e.Location}
	}
	applyWorkingLocationRules(p, e)
	e.EventType, e.WorkingLocationProperties, e.Location = "workingLocation", at, ""
	if e.Summary == "" {
		e.Summary = defaultTitle
	}
}

// applyWorkingLocationRules applies Google's rules for a working location: it is visible to
// everybody, leaves the time free and, if it is all-day, lasts one day.
func applyWorkingLocationRules(p *eventtime.Problems, e *calendarapi.Event) {
	if e.Visibility != "" && e.Visibility != "public" {
		p.Add("visibility", "public: others must be able to see a working location", e.Visibility)
	}
	if e.Transparency == "opaque" {
		p.Add("show_as", "free: a working location does not block the time", "busy")
	}
	e.Visibility, e.Transparency = "public", "transparent"
	if s, ok := eventtime.Of(e, time.UTC); ok && s.AllDay && s.Days() > 1 {
		p.Add("end", `omitted: a working location covers one day; for more give recurrence "FREQ=DAILY;COUNT=3"`, e.End.Date)
	}
}
