package eventtime

import (
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"
)

func location(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func timedEvent(start, end, zone string) *calendarapi.Event {
	return &calendarapi.Event{
		Start: &calendarapi.EventDateTime{DateTime: start, TimeZone: zone}, End: &calendarapi.EventDateTime{DateTime: end, TimeZone: zone},
	}
}

func allDayEvent(start, end string) *calendarapi.Event {
	return &calendarapi.Event{Start: &calendarapi.EventDateTime{Date: start}, End: &calendarapi.EventDateTime{Date: end}}
}

func TestOfReportsUnreadableTime(t *testing.T) {
	for name, e := range map[string]*calendarapi.Event{
		"a deleted one":      {Id: "x", Status: "cancelled"},
		"an empty start":     {Start: &calendarapi.EventDateTime{}, End: &calendarapi.EventDateTime{}},
		"only an end":        {End: &calendarapi.EventDateTime{Date: "2026-11-24"}},
		"an invalid date":    allDayEvent("2026-02-30", "2026-03-01"),
		"a time without day": timedEvent("15:00", "16:00", "UTC"),
	} {
		if s, ok := Of(e, time.UTC); ok {
			t.Errorf("%s: takes place %v", name, s)
		}
	}
}

func TestOfIgnoresInvalidEnd(t *testing.T) {
	for name, e := range map[string]*calendarapi.Event{
		"missing":                     {Start: &calendarapi.EventDateTime{DateTime: "2026-11-24T15:00:00+01:00"}},
		"before start":                timedEvent("2026-11-24T15:00:00+01:00", "2026-11-24T14:00:00+01:00", ""),
		"a date as the end of a time": {Start: &calendarapi.EventDateTime{DateTime: "2026-11-24T15:00:00+01:00"}, End: &calendarapi.EventDateTime{Date: "2026-11-25"}},
	} {
		if s, ok := Of(e, location(t, "Europe/Amsterdam")); !ok || s.Length() != "0m" || s.Words(s.Zone) != "Tue 2026-11-24 15:00 +01:00" {
			t.Errorf("%s: got %v, %v", name, s, ok)
		}
	}
	if s, _ := Of(allDayEvent("2026-11-24", ""), time.UTC); s.Length() != "1 day" {
		t.Errorf("of a day: got %s", s.Length())
	}
}

func TestSpanWords(t *testing.T) {
	amsterdam, tokyo := location(t, "Europe/Amsterdam"), location(t, "Asia/Tokyo")
	for _, c := range []struct {
		event                 *calendarapi.Event
		when, length, foreign string
	}{
		{timedEvent("2026-11-24T15:00:00+01:00", "2026-11-24T16:30:00+01:00", "Europe/Amsterdam"), "Tue 2026-11-24 15:00–16:30 +01:00", "1h 30m", ""},
		{timedEvent("2026-11-24T15:00:00+01:00", "2026-11-24T16:30:00+01:00", ""), "Tue 2026-11-24 15:00–16:30 +01:00", "1h 30m", "Asia/Tokyo"},
		{timedEvent("2026-11-24T15:00:00Z", "2026-11-24T16:00:00Z", "Europe/Berlin"), "Tue 2026-11-24 16:00–17:00 +01:00", "1h", ""},
		{timedEvent("2026-11-24T09:00:00+09:00", "2026-11-24T10:00:00+09:00", "Asia/Tokyo"), "Tue 2026-11-24 01:00–02:00 +01:00", "1h", "Asia/Tokyo"},
		{timedEvent("2026-11-24T09:00:00+09:00", "2026-11-24T10:00:00+09:00", "No/Where"), "Tue 2026-11-24 01:00–02:00 +01:00", "1h", "Asia/Tokyo"},
		// The day on which clocks go forward is 23 hours long, and counts as one day.
		{allDayEvent("2026-03-29", "2026-03-30"), "Sun 2026-03-29, all day", "1 day", ""},
		{allDayEvent("2026-11-24", "2026-11-27"), "Tue 2026-11-24 – Thu 2026-11-26, all day", "3 days", ""},
	} {
		s, ok := Of(c.event, tokyo)
		if !ok || s.Words(amsterdam) != c.when || s.Length() != c.length || s.OwnZone(amsterdam) != c.foreign {
			t.Errorf("got %q, %q, %q, %v, want %q, %q, %q", s.Words(amsterdam), s.Length(), s.OwnZone(amsterdam), ok, c.when, c.length, c.foreign)
		}
	}
}

func TestDayIsOneDayAcrossClockChange(t *testing.T) {
	for _, c := range []struct{ zone, day, next string }{
		{"Europe/Amsterdam", "2026-03-29", "2026-03-30"}, {"Europe/Amsterdam", "2026-10-25", "2026-10-26"},
		{"America/Sao_Paulo", "2018-11-04", "2018-11-05"}, // the day begins at one o'clock
		{"Australia/Lord_Howe", "2026-10-04", "2026-10-05"},
		{"Pacific/Apia", "2011-12-29", "2011-12-31"}, // the day between does not exist
	} {
		s, _ := Of(allDayEvent(c.day, c.next), location(t, c.zone))
		want := "1 day"
		if c.zone == "Pacific/Apia" {
			want = "2 days" // as Google counts it
		}
		if s.Length() != want {
			t.Errorf("%s in %s: %s", c.day, c.zone, s.Length())
		}
	}
}

func TestOverlapsExcludesTouchingSpans(t *testing.T) {
	hour := func(h int) time.Time { return time.Date(2026, 11, 24, h, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		from, to int
		want     bool
	}{{8, 9, false}, {9, 10, true}, {8, 10, true}, {11, 13, true}, {12, 13, false}, {9, 9, true}, {12, 12, false}, {11, 11, true}} {
		if got := (Span{Start: hour(c.from), End: hour(c.to)}).Overlaps(hour(9), hour(12)); got != c.want {
			t.Errorf("%d to %d: got %v", c.from, c.to, got)
		}
	}
}

func TestInZoneKeepsWholeDays(t *testing.T) {
	s, _ := Of(allDayEvent("2026-11-24", "2026-11-25"), location(t, "Asia/Tokyo"))
	moved := s.InZone(location(t, "America/New_York"))
	if moved.Words(time.UTC) != "Tue 2026-11-24, all day" || moved.End.Sub(moved.Start) != 24*time.Hour || moved.Start.Equal(s.Start) {
		t.Errorf("got %v", moved)
	}
	one, _ := Of(timedEvent("2026-11-24T15:00:00Z", "2026-11-24T16:00:00Z", ""), time.UTC)
	if one.InZone(location(t, "Asia/Tokyo")) != one {
		t.Error("a moment is another in another zone")
	}
}
