package fakecalendar

import (
	"errors"
	"strings"
	"sync"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// loadZone loads a zone of the time zone database. It refuses "Local" and "".
func loadZone(value any) (*time.Location, error) {
	name, _ := value.(string)
	if name == "" || name == "Local" {
		return nil, errors.New("no time zone")
	}
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err == nil {
		zones.Store(name, zone)
	}
	return zone, err
}

// zones has the zones that were loaded, by name, because time.LoadLocation reads
// a file each time.
var zones sync.Map

// storedTime converts the EventDateTime of one side of an event, "start" or
// "end". Its stored form is a date, or a dateTime with its offset and a zone. If
// a dateTime has no zone, storedTime refuses a series, and otherwise stores the
// calendar's zone.
func (c *fakeCalendar) storedTime(event fakeapi.Object, side string) (fakeapi.Object, error) {
	given, _ := event[side].(fakeapi.Object)
	day, _ := given["date"].(string)
	at, _ := given["dateTime"].(string)
	name, _ := given["timeZone"].(string)
	if day == "" && at == "" {
		return nil, requiredMissing("Missing %s time.", side)
	}
	if day != "" && at != "" {
		return nil, invalidValue("Invalid %s time.", side)
	}
	zone := c.zone()
	if name != "" {
		named, err := loadZone(name)
		if err != nil {
			return nil, invalidValue("Invalid time zone definition for %s time.", side)
		}
		zone = named
	}
	if day != "" {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			return nil, invalidValue("Invalid value for: Invalid format: %q is malformed", day)
		}
		return fakeapi.Object{"date": day}, nil
	}
	lines, _ := event["recurrence"].([]any)
	if name == "" && len(lines) > 0 {
		return nil, requiredMissing("Missing time zone definition for %s time.", side)
	}
	t, err := readTime(at, zone, name != "")
	if err != nil {
		return nil, err
	}
	return fakeapi.Object{"dateTime": t.In(zone).Format(time.RFC3339), "timeZone": zone.String()}, nil
}

// readTime reads a dateTime. Its offset may be missing if a zone is named.
func readTime(at string, zone *time.Location, named bool) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, at)
	if err == nil {
		return t.Truncate(time.Second), nil
	}
	t, err = time.ParseInLocation("2006-01-02T15:04:05", strings.TrimSuffix(at, ".000"), zone)
	if err != nil {
		return t, calendarProblem(400, "global", "badRequest", "Invalid value for: Invalid format: %q is malformed", at)
	}
	if !named {
		return t, requiredMissing("Missing time zone definition for start time.")
	}
	return t, nil
}

// setTimes converts the start and the end of the event into their stored form.
func (c *fakeCalendar) setTimes(event fakeapi.Object) error {
	start, err := c.storedTime(event, "start")
	if err != nil {
		return err
	}
	end, err := c.storedTime(event, "end")
	if err != nil {
		return err
	}
	if (start["date"] == nil) != (end["date"] == nil) {
		return invalidValue("Start and end times must either both be date or both be dateTime.")
	}
	if !c.instant(start).Before(c.instant(end)) {
		return timeRangeEmpty()
	}
	event["start"], event["end"] = start, end
	return nil
}

// timeIn returns a stored EventDateTime with the offset of the requested zone.
func timeIn(value any, zone *time.Location) any {
	fields, _ := value.(fakeapi.Object)
	at, ok := fields["dateTime"].(string)
	if !ok {
		return value
	}
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		panic(err) // only valid times are stored
	}
	return fakeapi.Object{"dateTime": t.In(zone).Format(time.RFC3339), "timeZone": fields["timeZone"]}
}
