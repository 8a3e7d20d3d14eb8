package icalendar

import (
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/timeparse"
)

// Time is a moment, or a day if Date is true. Moment is then the midnight, in
// UTC, at which the day begins. The zero Time means absent.
type Time struct {
	Moment time.Time // in the zone of the time
	Date   bool
}

// IsZero reports whether the time is absent.
func (t Time) IsZero() bool { return t.Moment.IsZero() }

const maxDates = 500 // of one event's EXDATE and RDATE

// times sets the times, the recurrence and the TimeProblem of the event.
func (r reader) times(e *Event, props ical.Props) {
	take := func(name string) Time {
		p := props.Get(name)
		if p == nil {
			return Time{}
		}
		t, err := r.time(p.Value, p.Params.Get(ical.PropTimezoneID))
		if err != nil && e.TimeProblem == "" {
			e.TimeProblem = err.Error()
		}
		return t
	}
	e.Start, e.End, e.OriginalStart = take(ical.PropDateTimeStart), take(ical.PropDateTimeEnd), take(ical.PropRecurrenceID)
	if e.Start.IsZero() && e.TimeProblem == "" {
		e.TimeProblem = "it has no start"
	}
	if e.End.IsZero() || e.End.Date != e.Start.Date || e.End.Moment.Before(e.Start.Moment) {
		e.End = e.Start.after(value(props, ical.PropDuration))
	}
	e.Recurrence = r.recurrence(e, props)
}

// after returns the end of an event that starts at t and has this duration. A
// missing or invalid duration counts as one day for a date, and as zero for a
// time. An event on dates lasts whole days, at least one.
func (t Time) after(duration string) Time {
	length, err := timeparse.ParseLength(duration)
	if err != nil {
		length = 0
	}
	if t.Date {
		length = max(length.Truncate(24*time.Hour), 24*time.Hour)
	}
	if !t.IsZero() {
		t.Moment = t.Moment.Add(length)
	}
	return t
}

// time reads a date, or a date with a time in the named zone.
func (r reader) time(text, zone string) (Time, error) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if day, err := time.Parse("20060102", text); err == nil {
		return Time{Moment: day, Date: true}, checkYear(day)
	}
	clock, utc := strings.CutSuffix(text, "Z")
	local, err := time.Parse("20060102T150405", clock)
	if err != nil {
		return Time{}, fmt.Errorf("it has the time %+q, which cannot be read", arguments.Brief(text))
	}
	location := r.zone
	switch {
	case utc:
		location = time.UTC
	case zone != "":
		if location = r.zoneOf(zone); location == nil {
			return Time{}, fmt.Errorf("its time zone %+q is unknown", arguments.Brief(zone))
		}
	}
	return Time{Moment: timeparse.Resolve(local, location).Time}, checkYear(local)
}

func checkYear(t time.Time) error {
	if t.Year() < timeparse.FirstYear || t.Year() > timeparse.LastYear {
		return fmt.Errorf("its year %d is out of range", t.Year())
	}
	return nil
}

// zoneOf returns the zone for a name in the file. The name may be an IANA name,
// a path that ends with one, a zone that the file describes, or a Windows name.
// It returns nil if it finds none.
func (r reader) zoneOf(name string) *time.Location {
	name = strings.Trim(strings.TrimSpace(name), `"`)
	tries := []string{name, r.zoneLocations[name], windowsZone(name)}
	if parts := strings.Split(name, "/"); len(parts) > 2 && len(parts) < 9 { // "/mozilla.org/20050126_1/Europe/Berlin"
		tries = append(tries, strings.Join(parts[len(parts)-2:], "/"), strings.Join(parts[len(parts)-3:], "/"))
	}
	for _, try := range tries {
		if zone, err := timeparse.Zone(try); try != "" && err == nil {
			return zone
		}
	}
	return nil
}

// recurrence returns the recurrence lines of a series. The times of EXDATE and
// RDATE are in UTC, so that they do not refer to zones of the file.
func (r reader) recurrence(e *Event, props ical.Props) []string {
	lines := []string{}
	for _, p := range props.Values(ical.PropRecurrenceRule) {
		lines = append(lines, "RRULE:"+strings.ToUpper(strings.TrimSpace(p.Value)))
	}
	dates := 0
	for _, name := range []string{ical.PropExceptionDates, ical.PropRecurrenceDates} {
		for _, p := range props.Values(name) {
			for _, text := range strings.Split(p.Value, ",") {
				t, err := r.time(text, p.Params.Get(ical.PropTimezoneID))
				if dates++; err != nil || dates > maxDates {
					e.TimeProblem = "some of its dates cannot be read"
					return lines
				}
				lines = append(lines, t.recurrenceLine(name))
			}
		}
	}
	return lines
}

func (t Time) recurrenceLine(name string) string {
	if t.Date {
		return name + ";VALUE=DATE:" + t.Moment.Format("20060102")
	}
	return name + ":" + t.Moment.UTC().Format("20060102T150405Z")
}
