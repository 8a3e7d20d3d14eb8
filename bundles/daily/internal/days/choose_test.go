package days

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// zones covers difficult zones: shifts of half an hour, of a whole day and at midnight,
// and both extreme offsets.
var zones = []string{
	"Europe/Amsterdam", "UTC", "America/New_York", "America/Havana", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Niue",
	"Africa/Cairo", "America/Sao_Paulo", "Asia/Beirut", "Europe/Dublin", "Antarctica/Troll", "Asia/Tehran",
}

func location(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// clockAt returns a clock that shows this time in Amsterdam. The day starts at 04:00.
func clockAt(t *testing.T, wall string) Clock {
	t.Helper()
	zone := location(t, "Europe/Amsterdam")
	now, err := time.ParseInLocation("2006-01-02T15:04", wall, zone)
	if err != nil {
		t.Fatal(err)
	}
	return Clock{Now: func() time.Time { return now }, Zone: func() *time.Location { return zone }, DayStarts: func() time.Duration { return 4 * time.Hour }}
}

// For any arguments, the chosen moment belongs to the chosen day in its zone and exists
// there.
func TestChosenMomentIsOnChosenDay(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 21))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	chosen, refused := 0, 0
	for range 5000 {
		starts := time.Duration(random.IntN(12*60+1)) * time.Minute
		now := time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(random.Int64N(int64(17 * 365 * 24 * time.Hour))))
		c := Clock{Now: func() time.Time { return now }, DayStarts: func() time.Duration { return starts }}.At(location(t, pick(zones...)))
		day := now.AddDate(0, 0, 1-random.IntN(400))
		date := pick("", "", day.Format(time.DateOnly), "today", "yesterday", "tomorrow", "monday", "3 days ago", "last friday")
		at := pick("", "", "noon", "0:00", "23:59", formatClock(starts), fmt.Sprintf("%02d:%02d", random.IntN(24), random.IntN(60)))
		asked := fmt.Sprintf("%q %q at %v, where days start at %s", date, at, c.Moment, formatClock(starts))
		var p Problems
		got := p.Choose("", date, at, c)
		if p.Err() != nil { // the clocks skip that time, or the whole day
			refused++
			continue
		}
		chosen++
		if got.Moment.IsZero() {
			if at != "" || date == "" || got.Zone != c.Moment.Location().String() {
				t.Errorf("%s: it has no time, in %s", asked, got.Zone)
			}
			continue
		}
		wall := got.Moment.In(location(t, got.Zone))
		began := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, time.UTC).Add(-starts)
		if began.Format(time.DateOnly) != got.Date {
			t.Errorf("%s: it is on %s, and its moment is %v", asked, got.Date, wall)
		}
		if date == "" && got.Moment.After(now.Add(clockTolerance)) {
			t.Errorf("%s: its moment is to come: %v", asked, wall)
		}
	}
	if chosen < 4300 || refused > 350 {
		t.Errorf("%d were chosen and %d refused", chosen, refused)
	}
}

// Clocks go back from 03:00 to 02:00 on 25 October 2026, and forward from 02:00 to 03:00
// on 29 March 2026.
func TestSkippedAndAmbiguousTimes(t *testing.T) {
	for name, c := range map[string]struct {
		now, date, at string
		day, moment   string // RFC 3339; "": refused
	}{
		"skipped":                       {"2026-03-29T12:00", "2026-03-28", "02:30", "", ""},
		"repeated":                      {"2026-10-25T12:00", "2026-10-24", "02:30", "2026-10-24", "2026-10-25T02:30:00+01:00"},
		"repeated, the first so far":    {"2026-10-25T00:30", "", "1 hours ago", "2026-10-24", "2026-10-24T23:30:00+02:00"},
		"before the day starts":         {"2026-11-21T12:00", "2026-11-20", "02:30", "2026-11-20", "2026-11-21T02:30:00+01:00"},
		"at the end of the day":         {"2026-11-21T12:00", "2026-11-20", "24:00", "2026-11-20", "2026-11-21T00:00:00+01:00"},
		"a time that is still to come":  {"2026-11-21T12:00", "", "23:30", "2026-11-20", "2026-11-20T23:30:00+01:00"},
		"now, before the day starts":    {"2026-11-21T02:10", "", "", "2026-11-20", "2026-11-21T02:10:00+01:00"},
		"a moment of another day":       {"2026-11-21T12:00", "2026-11-19", "2026-11-20T23:30", "", ""},
		"several days":                  {"2026-11-21T12:00", "last week", "", "", ""},
		"the day after tomorrow":        {"2026-11-21T12:00", "2026-11-23", "", "", ""},
		"a date that there is not":      {"2026-11-21T12:00", "2026-02-30", "", "", ""},
		"another day, without any time": {"2026-11-21T12:00", "2026-11-10", "", "2026-11-10", "0001-01-01T00:00:00Z"},
	} {
		var p Problems
		clock := clockAt(t, c.now)
		got := p.Choose("", c.date, c.at, clock.At(clock.Zone()))
		if (p.Err() != nil) != (c.day == "") {
			t.Errorf("%s: got %v", name, p.Err())
			continue
		}
		if moment := got.Moment.Format(time.RFC3339); c.day != "" && (got.Date != c.day || moment != c.moment) {
			t.Errorf("%s: got %s, %s", name, got.Date, moment)
		}
	}
}
