package eventtime

import (
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

func TestSpanReadsArguments(t *testing.T) {
	for _, c := range []struct {
		in           Args
		when, length string
	}{
		{Args{Start: "2026-11-24T15:00", End: "2026-11-24T16:30"}, "Tue 2026-11-24 15:00–16:30 +01:00", "1h 30m"},
		{Args{Start: "2026-11-24T15:00", End: "16:30"}, "Tue 2026-11-24 15:00–16:30 +01:00", "1h 30m"},
		{Args{Start: "2026-11-24T15:00", End: "5pm"}, "Tue 2026-11-24 15:00–17:00 +01:00", "2h"},
		{Args{Start: "2026-11-24T15:00"}, "Tue 2026-11-24 15:00–16:00 +01:00", "1h"},
		{Args{Start: "2026-11-24T15:00", Duration: "25"}, "Tue 2026-11-24 15:00–15:25 +01:00", "25m"},
		{Args{Start: "tomorrow 9am", Duration: "PT45M"}, "Sun 2026-11-22 09:00–09:45 +01:00", "45m"},
		{Args{Start: "2026-11-24T15:00-05:00", Duration: "1h"}, "Tue 2026-11-24 21:00–22:00 +01:00", "1h"},
		{Args{Start: "2026-11-24T15:00[Asia/Tokyo]", End: "2026-11-24T16:00"}, "Tue 2026-11-24 15:00–16:00 +09:00", "1h"},
		{Args{Start: "2026-11-24"}, "Tue 2026-11-24, all day", "1 day"},
		{Args{Start: "2026-11-24", End: "2026-11-24"}, "Tue 2026-11-24, all day", "1 day"},
		{Args{Start: "2026-11-24", End: "2026-11-26"}, "Tue 2026-11-24 – Thu 2026-11-26, all day", "3 days"},
		{Args{Start: "2026-11-24", Duration: "2 days"}, "Tue 2026-11-24 – Wed 2026-11-25, all day", "2 days"},
		{Args{Start: "next week"}, "Mon 2026-11-23 – Sun 2026-11-29, all day", "7 days"},
		{Args{Start: "2026-10-24T12:00", Duration: "1 day"}, "Sat 2026-10-24 12:00 +02:00 – Sun 2026-10-25 11:00 +01:00", "1 day"},
		{Args{Start: "2026-10-24", Duration: "2 days"}, "Sat 2026-10-24 – Sun 2026-10-25, all day", "2 days"},
	} {
		var p Problems
		s, notes := p.Span(c.in, Defaults{Context: saturdayNoon(t), Length: time.Hour})
		if p.Err() != nil || s.Words(s.Zone) != c.when || s.Length() != c.length || len(notes) != 0 {
			t.Errorf("%+v: got %s, %s, %q, %v", c.in, s.Words(s.Zone), s.Length(), notes, p.Err())
		}
	}
}

func TestSpanKeepsExistingTime(t *testing.T) {
	meeting, _ := Of(timedEvent("2026-11-24T15:00:00+01:00", "2026-11-24T15:45:00+01:00", "Europe/Amsterdam"), time.UTC)
	trip, _ := Of(allDayEvent("2026-11-24", "2026-11-27"), location(t, "Europe/Amsterdam"))
	for _, c := range []struct {
		was  Span
		in   Args
		when string
	}{
		{meeting, Args{Start: "2026-11-25T09:00"}, "Wed 2026-11-25 09:00–09:45 +01:00"},
		{meeting, Args{End: "17:00"}, "Tue 2026-11-24 15:00–17:00 +01:00"},
		{meeting, Args{Duration: "2h"}, "Tue 2026-11-24 15:00–17:00 +01:00"},
		{meeting, Args{Start: "2026-11-25"}, "Wed 2026-11-25, all day"},
		{trip, Args{Start: "2026-12-01"}, "Tue 2026-12-01 – Thu 2026-12-03, all day"},
		{trip, Args{End: "2026-11-24"}, "Tue 2026-11-24, all day"},
		{trip, Args{Start: "2026-12-01T10:00"}, "Tue 2026-12-01 10:00–11:00 +01:00"},
		{trip, Args{}, "Tue 2026-11-24 – Thu 2026-11-26, all day"},
	} {
		var p Problems
		s, _ := p.Span(c.in, Defaults{Context: saturdayNoon(t), Existing: &c.was, Length: time.Hour})
		if p.Err() != nil || s.Words(s.Zone) != c.when {
			t.Errorf("%+v: got %s, %v", c.in, s.Words(s.Zone), p.Err())
		}
	}
}

func TestSpanTakesFirstAmbiguousTime(t *testing.T) {
	newYork := timeparse.Context{Now: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), Zone: location(t, "America/New_York")}
	for _, c := range []struct {
		in           Args
		when, length string
		notes        int
	}{
		{Args{Start: "2026-11-01T01:30", Duration: "15m"}, "Sun 2026-11-01 01:30–01:45 -04:00", "15m", 1},
		{Args{Start: "2026-11-01T00:30", End: "2026-11-01T01:30"}, "Sun 2026-11-01 00:30–01:30 -04:00", "1h", 1},
		{Args{Start: "2026-11-01T01:30-05:00", End: "2026-11-01T01:45"}, "Sun 2026-11-01 01:30–01:45 -05:00", "15m", 0},
		{Args{Start: "2026-11-01T01:30-05:00", Duration: "15m"}, "Sun 2026-11-01 01:30–01:45 -05:00", "15m", 0},
	} {
		var p Problems
		s, notes := p.Span(c.in, Defaults{Context: newYork})
		if p.Err() != nil || s.Words(s.Zone) != c.when || s.Length() != c.length || len(notes) != c.notes {
			t.Errorf("%+v: got %s, %s, %q, %v", c.in, s.Words(s.Zone), s.Length(), notes, p.Err())
		}
		if len(notes) == 1 && (!strings.Contains(notes[0], "01:30 happens twice") || !strings.Contains(notes[0], "-04:00")) {
			t.Errorf("%+v: it says %q", c.in, notes[0])
		}
	}
}

func TestSpanRefusesInvalidArguments(t *testing.T) {
	meeting, _ := Of(timedEvent("2026-11-24T15:00:00+01:00", "2026-11-24T15:45:00+01:00", "Europe/Amsterdam"), time.UTC)
	for _, c := range []struct {
		in   Args
		was  *Span
		path string
	}{
		{in: Args{}, path: "start"},
		{in: Args{End: "2026-11-24T16:00"}, path: "start"},
		{in: Args{Start: "2026-11-24T15:00", End: "2026-11-24T14:00"}, path: "end"},
		{in: Args{Start: "2026-11-24T15:00", End: "2026-11-24T15:00"}, path: "end"},
		{in: Args{Start: "2026-11-24T15:00", End: "2026-11-24T15:00:00+01:00"}, path: "end"},
		{in: Args{Start: "2026-11-24", End: "2026-11-23"}, path: "end"},
		{in: Args{Start: "2026-11-24", End: "2026-11-24T15:00"}, path: "end"},
		{in: Args{Start: "2026-11-24", End: "16:00"}, path: "end"},
		{in: Args{Start: "2026-11-24T15:00", End: "2026-11-24"}, path: "end"},
		{in: Args{End: "2026-11-25"}, was: &meeting, path: "end"},
		{in: Args{End: "14:00"}, was: &meeting, path: "end"},
		{in: Args{Start: "2026-11-24T15:00", Duration: "0"}, path: "duration"},
		{in: Args{Start: "2026-11-24T15:00", Duration: "-1h"}, path: "duration"},
		{in: Args{Start: "2026-11-24T15:00", Duration: "1e9h"}, path: "duration"},
		{in: Args{Start: "2026-11-24", Duration: "2h"}, path: "duration"},
		{in: Args{Start: "2026-11-24T15:00", End: "16:00", Duration: "1h"}, path: "duration"},
		{in: Args{Start: "2026-03-29T02:30", Duration: "1h"}, path: "start"},
		{in: Args{Start: "2026-03-29T01:30", End: "02:30"}, path: "end"},
		{in: Args{Start: "2026-02-30"}, path: "start"},
		{in: Args{Start: "0000-01-01T00:00"}, path: "start"},
		{in: Args{Start: "9999-12-31"}, path: "start"},
		{in: Args{Start: "292277-01-01"}, path: "start"},
	} {
		var p Problems
		s, _ := p.Span(c.in, Defaults{Context: saturdayNoon(t), Existing: c.was, Length: time.Hour})
		if metadata.CodeOf(p.Err()) != metadata.ValidationError || len(p.Problems) != 1 || p.Problems[0].Path != c.path {
			t.Errorf("%+v: got %s, %+v", c.in, s.Words(time.UTC), p.Problems)
		}
	}
}
