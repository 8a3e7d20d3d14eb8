package eventtext

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/timeparse"
)

// A Difference describes a field of an event before and after a change.
type Difference struct {
	Field  string `json:"field"` // name of the argument; "when" means start and end
	Before string `json:"before"`
	After  string `json:"after"`
}

// Differences describes what a patch changes in an event.
func Differences(was, is *calendarapi.Event, patch event.Fields, zone *time.Location) []Difference {
	all := []Difference{}
	for _, field := range patch.ArgumentNames() {
		d := Difference{Field: field, Before: ShortValue(field, was, zone), After: ShortValue(field, is, zone)}
		if d.Before != d.After || field == "description" {
			all = append(all, d)
		}
	}
	return all
}

// ShortValue describes the value of a field in one line that is short enough for a list.
func ShortValue(field string, e *calendarapi.Event, zone *time.Location) string {
	const max = 40 // tokens, as budget.Tokens estimates them
	return budget.Brief(htmltext.Line(lineValue(field, e, zone)), max)
}

// lineValue returns the value of a field as text, without a length limit. The text is
// one clean line, unless it comes from rawValue: then it is not cleaned and may have
// several lines.
func lineValue(field string, e *calendarapi.Event, zone *time.Location) string {
	text := ""
	switch field {
	case "when":
		text = event.When(e, zone)
	case "title":
		text = htmltext.Line(e.Summary)
	case "location":
		text = htmltext.Line(e.Location)
	case "description":
		text = htmltext.Line(e.Description)
	case "attendees":
		for _, a := range e.Attendees {
			text += ", " + htmltext.Line(a.Email) + " " + event.Answer(a.ResponseStatus)
		}
		text = strings.TrimPrefix(text, ", ")
	case "recurrence":
		text = htmltext.Line(strings.Join(e.Recurrence, " "))
	case "meet":
		text = meetLink(e)
	case "color":
		text = cmp.Or(event.Color(e), "the calendar's")
	case "reminders":
		text = reminderWords(e.Reminders)
	case "show_as":
		if text = "busy"; e.Transparency == "transparent" {
			text = "free"
		}
	case "visibility":
		text = cmp.Or(htmltext.Line(e.Visibility), "default")
	case "guests_can":
		text = cmp.Or(strings.Join(GuestsCan(e), ", "), "nothing")
	default:
		text = rawValue(field, e)
	}
	return text
}

// reminderWords describes when an event reminds the user.
func reminderWords(r *calendarapi.EventReminders) string {
	switch {
	case r == nil || r.UseDefault:
		return "the calendar's"
	case len(r.Overrides) == 0:
		return "none"
	}
	return Reminders(r.Overrides)
}

// rawValue describes a field for which lineValue has no words: its values in the form in
// which they are sent.
func rawValue(field string, e *calendarapi.Event) string {
	fields, err := event.FieldsOf(e)
	if err != nil {
		return ""
	}
	parts := []string{}
	for _, name := range fields.Names() {
		if name != field && event.FieldArguments[name] != field {
			continue
		}
		switch value := fields[name].(type) {
		case string:
			parts = append(parts, value)
		case bool:
			parts = append(parts, name+" "+strconv.FormatBool(value))
		default:
			parts = append(parts, toJSON(value))
		}
	}
	return strings.Join(parts, ", ")
}

// Reminders lists the times of reminders before the start. It returns "" for an empty
// list.
func Reminders(list []*calendarapi.EventReminder) string {
	var words []string
	for _, r := range list {
		words = append(words, timeparse.Length(time.Duration(r.Minutes)*time.Minute)+" "+htmltext.Line(r.Method))
	}
	return strings.Join(words, ", ")
}

// GuestsCan returns the rights of guests, with the names that arguments use. It returns
// nil for an event without guests.
func GuestsCan(e *calendarapi.Event) []string {
	if len(e.Attendees) == 0 {
		return nil
	}
	can := []string{}
	if e.GuestsCanModify {
		can = append(can, "modify")
	}
	if e.GuestsCanInviteOthers == nil || *e.GuestsCanInviteOthers {
		can = append(can, "invite")
	}
	if e.GuestsCanSeeOtherGuests == nil || *e.GuestsCanSeeOtherGuests {
		can = append(can, "see_others")
	}
	return can
}
