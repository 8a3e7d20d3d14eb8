package event

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/htmltext"
)

// Details are the arguments that the create and update actions share, apart from title,
// time and guests. An absent argument changes nothing. The value "" empties a text.
type Details struct {
	Location    *string  `json:"location,omitempty"`
	Description *string  `json:"description,omitempty" doc:"plain text"`
	Meet        *bool    `json:"meet,omitempty" doc:"a Google Meet call"`
	Reminders   []string `json:"reminders,omitempty" doc:"[\"10m\", \"1d email\"]; [] none"`
	Color       string   `json:"color,omitempty" doc:"\"tomato\", \"blueberry\""`
	Visibility  string   `json:"visibility,omitempty" enum:"default,public,private"`
	ShowAs      string   `json:"show_as,omitempty" enum:"busy,free"`
	GuestsCan   []string `json:"guests_can,omitempty" enum:"modify,invite,see_others" doc:"[] nothing"`
}

// DefaultLength is the length of a timed event if the call gives neither an end nor a
// duration.
const DefaultLength = time.Hour

// Limits of an event's texts, in characters. Google accepts descriptions of up to 8,192.
const (
	MaxTitle       = 1000
	MaxLocation    = 1000
	maxDescription = 8192
)

// Apply writes the details into the event. seed identifies the request for a new video
// call: Google makes only one call per seed.
func (in Details) Apply(p *eventtime.Problems, e *calendarapi.Event, seed string) {
	if in.Location != nil {
		p.Line("location", *in.Location, MaxLocation)
		e.Location = *in.Location
	}
	if in.Description != nil {
		e.Description = readDescription(p, *in.Description)
	}
	if in.Meet != nil {
		SetMeet(e, *in.Meet, seed)
	}
	if in.Reminders != nil {
		e.Reminders = readReminders(p, in.Reminders)
	}
	if in.Color != "" {
		e.ColorId = readColor(p, in.Color)
	}
	if in.Visibility != "" {
		e.Visibility = in.Visibility
	}
	switch in.ShowAs {
	case "busy":
		e.Transparency = "opaque"
	case "free":
		e.Transparency = "transparent"
	}
	if in.GuestsCan != nil {
		e.GuestsCanModify = slices.Contains(in.GuestsCan, "modify")
		e.GuestsCanInviteOthers = googleapi.Bool(slices.Contains(in.GuestsCan, "invite"))
		e.GuestsCanSeeOtherGuests = googleapi.Bool(slices.Contains(in.GuestsCan, "see_others"))
	}
}

// ReadTitle checks the title of an event.
func ReadTitle(p *eventtime.Problems, text string) string {
	p.Line("title", text, MaxTitle)
	return text
}

// readDescription returns a description in the form that Google stores. Google shows it as
// HTML, so text like "<ann@example.com>" is escaped.
func readDescription(p *eventtime.Problems, text string) string {
	p.Text("description", text)
	escaped := strings.ReplaceAll(text, "\r\n", "\n")
	if strings.Contains(escaped, "<") || html.UnescapeString(escaped) != escaped {
		escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(escaped)
	}
	if n := len([]rune(escaped)); n > maxDescription {
		p.Add("description", fmt.Sprintf("at most %d characters", maxDescription), fmt.Sprintf("%d characters", n))
	}
	return escaped
}

// SetMeet requests a video call if wanted is true and the event has none. If wanted is
// false, it removes the existing call. seed identifies the request.
func SetMeet(e *calendarapi.Event, wanted bool, seed string) {
	switch {
	case !wanted:
		e.ConferenceData, e.HangoutLink = nil, ""
	case e.ConferenceData == nil || len(e.ConferenceData.EntryPoints) == 0:
		e.ConferenceData = &calendarapi.ConferenceData{CreateRequest: &calendarapi.CreateConferenceRequest{
			RequestId:             "meet-" + seed,
			ConferenceSolutionKey: &calendarapi.ConferenceSolutionKey{Type: "hangoutsMeet"},
		}}
	}
}

// colors are the names of Google's event colours, ordered by their ids, the first of which
// is 1. The ids come from the "event" section of Google's method colors.get, the names from
// Google Calendar.
var colors = []string{
	"lavender", "sage", "grape", "flamingo", "banana", "tangerine", "peacock", "graphite", "blueberry", "basil", "tomato",
}

// readColor returns the id of the colour with this name or id. It returns "" for "default",
// which means the calendar's colour. For any other text it adds a problem and returns "".
func readColor(p *eventtime.Problems, name string) string {
	folded := strings.ToLower(strings.TrimSpace(name))
	if folded == "default" {
		return ""
	}
	for i, color := range colors {
		if id := fmt.Sprint(i + 1); folded == color || folded == id {
			return id
		}
	}
	p.Add("color", "one of default, "+strings.Join(colors, ", "), name)
	return ""
}

// HasMeet reports whether an event has a Google Meet call.
func HasMeet(e *calendarapi.Event) bool {
	return e.HangoutLink != "" || e.ConferenceData != nil && e.ConferenceData.ConferenceSolution != nil &&
		e.ConferenceData.ConferenceSolution.Key != nil && e.ConferenceData.ConferenceSolution.Key.Type == "hangoutsMeet"
}

// Color returns the name of the event's colour, or "" if the event has the calendar's
// colour. A colour without a name is returned as its id.
func Color(e *calendarapi.Event) string {
	if id, err := strconv.Atoi(e.ColorId); err == nil && id >= 1 && id <= len(colors) {
		return colors[id-1]
	}
	return htmltext.Line(arguments.Brief(e.ColorId))
}
