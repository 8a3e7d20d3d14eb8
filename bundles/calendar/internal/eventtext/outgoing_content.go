package eventtext

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
)

// Content returns lines with everything in an event. It leaves out title and time, the
// fields that Google sets, and fields that changes already describe.
func Content(e *calendarapi.Event, zone *time.Location, changes ...bundles.Line) ([]bundles.Line, error) {
	fields, err := event.FieldsOf(e)
	if err != nil {
		return nil, err
	}
	meet := event.HasMeet(e) || e.ConferenceData != nil
	for _, name := range slices.Concat(event.SetByGoogle, []string{"summary", "start", "end", "status"}) {
		delete(fields, name)
	}
	if meet {
		fields["conferenceData"] = true
	}
	lines := []bundles.Line{}
	for _, field := range fields.Words() {
		if slices.ContainsFunc(changes, func(line bundles.Line) bool { return line.Name == NewField+field }) {
			continue
		}
		if text := wholeWords(field, e, zone); text != "" {
			lines = append(lines, bundles.Line{Name: field, Text: text})
		}
	}
	return lines, nil
}

// Instances returns a line for each instance that was changed by hand: people see it as an
// event of its own.
func Instances(list []*calendarapi.Event, zone *time.Location) ([]bundles.Line, error) {
	lines := []bundles.Line{}
	for _, one := range list {
		if one.Status == event.Cancelled {
			continue
		}
		content, err := Content(one, zone)
		if err != nil {
			return nil, err
		}
		text := wholeWords("title", one, zone) + ", " + whenThere(one, zone)
		for _, line := range content {
			text += "\n" + line.Name + ": " + strings.ReplaceAll(line.Text, "\n", "\n    ")
		}
		lines = append(lines, bundles.Line{Name: "Changed by hand", Text: text})
	}
	return lines, nil
}

// ContentWithInstances returns the lines of Content and of Instances.
func ContentWithInstances(e *calendarapi.Event, instances []*calendarapi.Event, zone *time.Location, changes ...bundles.Line) ([]bundles.Line, error) {
	lines, err := Content(e, zone, changes...)
	if err != nil {
		return nil, err
	}
	more, err := Instances(instances, zone)
	return append(lines, more...), err
}

// Bound returns out as an approval that holds only for these versions of the events. If one
// of them changes before the user approves, the user is asked again. Guests' answers and
// fields that Google maintains do not count as a change.
func Bound(out bundles.Outgoing, events ...*calendarapi.Event) (bundles.Outgoing, error) {
	versions := []event.Fields{}
	for _, e := range events {
		fields, err := event.FieldsOf(e)
		if err != nil {
			return out, err
		}
		for _, passing := range []string{"etag", "updated", "sequence", "attendees", "conferenceData", "hangoutLink"} {
			delete(fields, passing)
		}
		fields["guests"], fields["call"] = wholeWords("attendees", e, time.UTC), wholeWords("meet", e, time.UTC)
		versions = append(versions, fields)
	}
	text, err := json.Marshal([]any{out.What, out.People, out.Lines, versions})
	if err != nil {
		return out, fmt.Errorf("write event: %w", err)
	}
	out.Digest = sha256.Sum256(text)
	return out, nil
}

// wholeWords describes the full value of a field. It leaves out guests' answers, because
// they may change while the user is asked.
func wholeWords(field string, e *calendarapi.Event, zone *time.Location) string {
	switch field {
	case "when":
		return whenThere(e, zone)
	case "recurrence":
		if len(e.Recurrence) > 0 {
			return Repeating(e.Recurrence, e, zone) + " (" + strings.Join(e.Recurrence, " ") + ")"
		}
	// These values stay as they are sent. The code that displays them marks invisible
	// characters.
	case "title":
		return e.Summary
	case "location":
		return e.Location
	case "description":
		return e.Description
	case "attendees":
		guests := []string{}
		for _, a := range e.Attendees {
			guest := a.Email
			if a.DisplayName != "" {
				guest = a.DisplayName + " <" + a.Email + ">"
			}
			if a.Optional {
				guest += " (optional)"
			}
			guests = append(guests, guest)
		}
		return strings.Join(guests, ", ")
	case "attachments":
		files := []string{}
		for _, file := range e.Attachments {
			files = append(files, spaced(file.Title, file.FileUrl))
		}
		return strings.Join(files, "\n")
	case "extendedProperties":
		return propertiesOf(e)
	case "meet":
		return callOf(e)
	}
	return fullField(field, e, zone)
}

// spaced joins the parts that are not empty with spaces.
func spaced(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// propertiesOf returns the extended properties that other programs gave an event, in JSON,
// or "". Guests and their programs can read the shared ones.
func propertiesOf(e *calendarapi.Event) string {
	if e.ExtendedProperties == nil {
		return ""
	}
	others := *e.ExtendedProperties
	others.Private = maps.Clone(others.Private)
	delete(others.Private, event.DigestKey)
	delete(others.Private, event.MixedKey)
	if len(others.Private)+len(others.Shared) == 0 {
		return ""
	}
	return inJSON(others)
}

// inJSON returns a value as readable JSON.
func inJSON(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// callOf lists every way to join the call of an event, and the notes of the call. It
// returns "a video call" if Google has not made the call yet.
func callOf(e *calendarapi.Event) string {
	ways, notes := []string{}, ""
	if e.HangoutLink != "" {
		ways = append(ways, e.HangoutLink)
	}
	if e.ConferenceData != nil {
		for _, way := range e.ConferenceData.EntryPoints {
			label := way.Label
			if strings.Contains(way.Uri, label) {
				label = ""
			}
			ways = append(ways, spaced(way.Uri, label, way.MeetingCode, way.AccessCode, way.Passcode, way.Password, way.Pin))
		}
		notes = e.ConferenceData.Notes
	}
	if notes != "" {
		notes = "\nnotes: " + notes
	}
	slices.Sort(ways)
	ways = slices.Compact(ways)
	switch {
	case len(ways) > 0:
		return "a call: " + strings.Join(ways, ", ") + notes
	case event.HasMeet(e), e.ConferenceData != nil && e.ConferenceData.CreateRequest != nil:
		return "a video call" + notes
	}
	return strings.TrimPrefix(notes, "\n")
}
