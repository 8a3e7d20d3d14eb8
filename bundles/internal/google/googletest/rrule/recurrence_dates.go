package rrule

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

const (
	DayFormat = "20060102"
	icalLocal = "20060102T150405"
	UTCFormat = "20060102T150405Z"
)

// addDates appends the values of an RDATE or EXDATE to dates (3.8.5.1,
// 3.8.5.2).
//
// They have the same kind as DTSTART. A time without a zone is in the event's
// zone. A day is accepted with and without VALUE=DATE, because Google's guide
// has both. Periods are refused: no document says that Google accepts them.
func (r *Recurrence) addDates(dates []time.Time, value, parameters string) ([]time.Time, error) {
	zone, kind, err := dateParameters(parameters)
	if err != nil {
		return nil, err
	}
	for text := range strings.SplitSeq(value, ",") {
		at, err := r.start.date(text, zone, kind)
		if err != nil {
			return nil, err
		}
		dates = append(dates, at)
	}
	return dates, nil
}

func dateParameters(parameters string) (zone *time.Location, kind string, err error) {
	if parameters == "" {
		return nil, "", nil
	}
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		switch strings.ToUpper(name) {
		case "TZID":
			zone, err = zoneNamed(strings.Trim(value, `"`))
		case "VALUE":
			kind = strings.ToUpper(value)
			if kind != "DATE" && kind != "DATE-TIME" {
				err = fmt.Errorf("VALUE=%s is not accepted", value)
			}
		default:
			err = fmt.Errorf("it takes no parameter %q", name)
		}
		if err != nil {
			return nil, "", err
		}
	}
	return zone, kind, nil
}

// zoneNamed returns the zone of the IANA database with that name.
func zoneNamed(name string) (*time.Location, error) {
	if name == "" || name == "Local" {
		return nil, fmt.Errorf("%q is no time zone", name)
	}
	return time.LoadLocation(name)
}

// date reads one value of the list.
func (d Start) date(text string, zone *time.Location, kind string) (time.Time, error) {
	if on, err := time.Parse(DayFormat, text); err == nil {
		if d.Zone != nil || kind == "DATE-TIME" || zone != nil {
			return time.Time{}, fmt.Errorf("%s is a day and not a time", text)
		}
		return on, nil
	}
	if d.Zone == nil || kind == "DATE" {
		return time.Time{}, fmt.Errorf("%q is not a day", text)
	}
	if at, err := time.Parse(UTCFormat, text); err == nil {
		if zone != nil {
			return time.Time{}, errors.New("a time in UTC takes no TZID")
		}
		return at, nil
	}
	wall, err := time.Parse(icalLocal, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is not a time", text)
	}
	if zone == nil {
		zone = d.Zone
	}
	return instantOf(wall, zone), nil
}
