package recurrence

import (
	"errors"
	"strings"
	"time"

	"kota/bundles/internal/timeparse"
)

// The forms of RFC 5545 sections 3.3.4 and 3.3.5.
const (
	dateForm  = "20060102"
	localForm = "20060102T150405"
	utcForm   = "20060102T150405Z"
)

// readDates reads the values of an RDATE or EXDATE. An error is a
// [*timeparse.ZoneError], or its text completes a sentence about the line.
func (s *Set) readDates(name, params, value string) ([]time.Time, error) {
	zone, isDate, err := s.readParams(params)
	if err != nil {
		return nil, err
	}
	var dates []time.Time
	for text := range strings.SplitSeq(strings.ToUpper(value), ",") {
		if !isDate && !strings.Contains(text, "T") {
			isDate = name == "EXDATE" || s.start.Date
		}
		t, err := readDate(text, isDate, zone)
		switch {
		case err != nil:
			return nil, err
		case isDate && !s.start.Date && name == "EXDATE":
			s.note("EXDATE:%s is a day and excludes nothing: the series has times", text)
		case isDate != s.start.Date:
			return nil, errors.New("does not match the start: use dates for all-day events, times for others")
		default:
			dates = append(dates, t)
		}
	}
	return dates, nil
}

// readParams reads a line's parameters: its zone, and whether its values are days.
func (s *Set) readParams(params string) (zone *time.Location, isDate bool, err error) {
	zone = s.start.Zone
	if params == "" {
		return zone, false, nil
	}
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(param, "=")
		value = strings.Trim(value, `"`)
		switch name, upper := strings.ToUpper(name), strings.ToUpper(value); {
		case name == "TZID":
			if zone, err = timeparse.Zone(value); err != nil {
				return nil, false, err
			}
		case name == "VALUE" && upper == "DATE":
			isDate = true
		case name == "VALUE" && upper == "DATE-TIME":
		default:
			return nil, false, errors.New("has an unknown parameter; allowed: TZID, VALUE=DATE and VALUE=DATE-TIME")
		}
	}
	return zone, isDate, nil
}

// readDate returns a day as a floating local time, and a time as its moment.
func readDate(text string, isDate bool, zone *time.Location) (time.Time, error) {
	form := localForm
	if isDate {
		form = dateForm
	} else if strings.HasSuffix(text, "Z") {
		form = utcForm
	}
	wall, err := time.Parse(form, text)
	switch {
	case err != nil:
		return wall, errors.New("has a value that is neither a day such as 20261124 nor a time such as 20261124T150000")
	case wall.Year() < timeparse.FirstYear || wall.Year() > timeparse.LastYear:
		return wall, errors.New("has a value outside the years 1900 to 2200")
	case form != localForm:
		return wall, nil
	}
	return timeparse.Resolve(wall, zone).Time.UTC(), nil
}

// dateLines returns the lines for the times, in the start's zone. A time is in
// UTC if that zone is UTC, or if its local time would mean another moment.
func (s *Set) dateLines(name string, times []time.Time) []string {
	var local, utc []string
	for _, t := range times {
		switch wall := t.In(s.start.Zone).Format(localForm); {
		case s.start.Date:
			local = append(local, t.Format(dateForm))
		case s.start.Zone != time.UTC && s.resolve(s.localTime(t)).Equal(t):
			local = append(local, wall)
		default:
			utc = append(utc, t.UTC().Format(utcForm))
		}
	}
	var lines []string
	if len(local) > 0 {
		param := ";TZID=" + s.start.Zone.String()
		if s.start.Date {
			param = ";VALUE=DATE"
		}
		lines = append(lines, name+param+":"+strings.Join(local, ","))
	}
	if len(utc) > 0 {
		lines = append(lines, name+":"+strings.Join(utc, ","))
	}
	return lines
}
