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

// ContentLines returns lines with the content of an event. It leaves out title, time and
// status, the fields in changes, and the fields that only Google sets. It includes the
// video call.
func ContentLines(e *calendarapi.Event, zone *time.Location, changes ...bundles.Line) ([]bundles.Line, error) {
	fields, err := event.FieldsOf(e)
	if err != nil {
		return nil, err
	}
	meet := event.HasMeet(e) || e.ConferenceData != nil
	for _, name := range slices.Concat(event.FieldsSetByGoogle, []string{"summary", "start", "end", "status"}) {
		delete(fields, name)
	}
	if meet {
		fields["conferenceData"] = true
	}
	lines := []bundles.Line{}
	for _, field := range fields.ArgumentNames() {
		if slices.ContainsFunc(changes, func(line bundles.Line) bool { return line.Name == NewField+field }) {
			continue
		}
		if text := fullValue(field, e, zone); text != "" {
			lines = append(lines, bundles.Line{Name: strings.ToUpper(field[:1]) + field[1:], Text: text})
		}
	}
	return lines, nil
}

// InstanceLines returns a line with the content of each instance in the list that is not
// cancelled. The instances were changed by hand, so people see them as separate events.
func InstanceLines(list []*calendarapi.Event, zone *time.Location) ([]bundles.Line, error) {
	lines := []bundles.Line{}
	for _, one := range list {
		if one.Status == event.Cancelled {
			continue
		}
		content, err := ContentLines(one, zone)
		if err != nil {
			return nil, err
		}
		text := fullValue("title", one, zone) + ", " + whenWithOwnZone(one, zone)
		for _, line := range content {
			text += "\n" + line.Name + ": " + strings.ReplaceAll(line.Text, "\n", "\n    ")
		}
		lines = append(lines, bundles.Line{Name: "Changed individually", Text: text})
	}
	return lines, nil
}

// ContentAndInstanceLines returns the lines of ContentLines and of InstanceLines.
func ContentAndInstanceLines(e *calendarapi.Event, instances []*calendarapi.Event, zone *time.Location, changes ...bundles.Line) ([]bundles.Line, error) {
	lines, err := ContentLines(e, zone, changes...)
	if err != nil {
		return nil, err
	}
	more, err := InstanceLines(instances, zone)
	return append(lines, more...), err
}

// BindToVersions returns out with a digest of these versions of the events, so that an
// approval is valid only for them. If one of the events changes before the user approves,
// the user is asked again. Guests' answers and fields that Google maintains do not count
// as a change.
func BindToVersions(out bundles.Outgoing, events ...*calendarapi.Event) (bundles.Outgoing, error) {
	versions := []event.Fields{}
	for _, e := range events {
		fields, err := event.FieldsOf(e)
		if err != nil {
			return out, err
		}
		for _, ignored := range []string{"etag", "updated", "sequence", "attendees", "conferenceData", "hangoutLink"} {
			delete(fields, ignored)
		}
		fields["guests"], fields["call"] = fullValue("attendees", e, time.UTC), fullValue("meet", e, time.UTC)
		versions = append(versions, fields)
	}
	text, err := json.Marshal([]any{out.What, out.People, out.Lines, versions})
	if err != nil {
		return out, fmt.Errorf("write event: %w", err)
	}
	out.Digest = sha256.Sum256(text)
	return out, nil
}

// fullValue describes the full value of a field for an approval. It leaves out guests'
// answers, because they may change before the user approves.
func fullValue(field string, e *calendarapi.Event, zone *time.Location) string {
	switch field {
	case "when":
		return whenWithOwnZone(e, zone)
	case "recurrence":
		if len(e.Recurrence) > 0 {
			return DescribeRecurrence(e.Recurrence, e, zone) + " (" + strings.Join(e.Recurrence, " ") + ")"
		}
	// These values are not cleaned, because the approval must show them as they are sent.
	// The code that displays them marks invisible characters.
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
			files = append(files, joinNonEmpty(file.Title, file.FileUrl))
		}
		return strings.Join(files, "\n")
	case "extendedProperties":
		return otherProperties(e)
	case "meet":
		return callDetails(e)
	}
	return lineValue(field, e, zone)
}

// joinNonEmpty joins the parts that are not empty with spaces.
func joinNonEmpty(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// otherProperties returns the extended properties that other programs set in an event, in
// JSON, or "". Guests and their programs can read the shared ones.
func otherProperties(e *calendarapi.Event) string {
	if e.ExtendedProperties == nil {
		return ""
	}
	others := *e.ExtendedProperties
	others.Private = maps.Clone(others.Private)
	delete(others.Private, event.DigestKey)
	delete(others.Private, event.TaintKey)
	if len(others.Private)+len(others.Shared) == 0 {
		return ""
	}
	return toJSON(others)
}

// toJSON returns a value as readable JSON.
func toJSON(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// callDetails lists every way to join the video call of an event, and the notes of the
// call. It returns "a video call" if Google has not made the call yet, and "" if the
// event has no call.
func callDetails(e *calendarapi.Event) string {
	entries, notes := []string{}, ""
	if e.HangoutLink != "" {
		entries = append(entries, e.HangoutLink)
	}
	if e.ConferenceData != nil {
		for _, entry := range e.ConferenceData.EntryPoints {
			label := entry.Label
			if strings.Contains(entry.Uri, label) {
				label = ""
			}
			entries = append(entries, joinNonEmpty(entry.Uri, label, entry.MeetingCode, entry.AccessCode, entry.Passcode, entry.Password, entry.Pin))
		}
		notes = e.ConferenceData.Notes
	}
	if notes != "" {
		notes = "\nnotes: " + notes
	}
	slices.Sort(entries)
	entries = slices.Compact(entries)
	switch {
	case len(entries) > 0:
		return "a call: " + strings.Join(entries, ", ") + notes
	case event.HasMeet(e), e.ConferenceData != nil && e.ConferenceData.CreateRequest != nil:
		return "a video call" + notes
	}
	return strings.TrimPrefix(notes, "\n")
}
