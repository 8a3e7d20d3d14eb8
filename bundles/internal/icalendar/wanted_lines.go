package icalendar

import (
	"bytes"
	"slices"
	"strings"
)

// Limits on what is read of a file.
const (
	maxLines = 20_000
	maxValue = 16 << 10 // bytes of one value; the rest is cut off
	maxHead  = 1 << 10  // bytes of a name with its parameters
	maxDepth = 5        // nested components
)

// wantedProperties are the properties that are read. Others, which can be large, are
// never decoded.
var wantedProperties = []string{
	"BEGIN", "END", "METHOD", "UID", "SEQUENCE", "STATUS", "TRANSP", "SUMMARY", "DESCRIPTION", "LOCATION", "ORGANIZER", "ATTENDEE",
	"DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "RRULE", "RDATE", "EXDATE", "TZID", "X-LIC-LOCATION", "X-WR-TIMEZONE",
}

// wantedLines returns the wanted lines of the first calendar in the file. They
// are unfolded, their names and values have a limited size, and their
// components are properly nested.
func wantedLines(file []byte) ([]byte, error) {
	file = bytes.ToValidUTF8(bytes.TrimPrefix(file, []byte("\uFEFF")), []byte("\uFFFD"))
	file = bytes.ReplaceAll(bytes.ReplaceAll(file, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	file = bytes.ReplaceAll(bytes.ReplaceAll(file, []byte("\n "), nil), []byte("\n\t"), nil)
	kept := bytes.Buffer{}
	open := []string{}
	lines := 0
	for line := range bytes.SplitSeq(file, []byte("\n")) {
		if lines++; lines > maxLines {
			return nil, ErrNone
		}
		head, value := splitLine(line)
		switch name := nameOf(head); {
		case !slices.Contains(wantedProperties, name):
			continue
		case name == "BEGIN":
			value = strings.ToUpper(strings.TrimSpace(value))
			if len(open) == 0 && value != "VCALENDAR" || len(open) == maxDepth {
				return nil, ErrNone
			}
			open = append(open, value)
		case len(open) == 0:
			continue
		case name == "END":
			value = strings.ToUpper(strings.TrimSpace(value))
			if open[len(open)-1] != value {
				return nil, ErrNone
			}
			open = open[:len(open)-1]
		}
		kept.WriteString(head + ":" + value + "\r\n")
		if len(open) == 0 {
			return kept.Bytes(), nil
		}
	}
	return nil, ErrNone
}

// splitLine divides a line at the first colon outside quotes, if it is near the
// beginning.
func splitLine(line []byte) (head, value string) {
	quoted := false
	for i, c := range line[:min(len(line), maxHead)] {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ':' && !quoted:
			value := line[i+1:]
			return string(line[:i]), strings.ToValidUTF8(string(value[:min(len(value), maxValue)]), "")
		}
	}
	return "", ""
}

// nameOf returns the name of a property from the part before its value.
func nameOf(head string) string {
	name, _, _ := strings.Cut(head, ";")
	return strings.ToUpper(strings.TrimSpace(name))
}
