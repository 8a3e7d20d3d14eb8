package timeparse_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/timeparse"
)

func TestParseInZone(t *testing.T) {
	// A Tuesday.
	now := time.Date(2026, 11, 24, 14, 7, 23, 999, time.UTC)
	for _, c := range []struct{ zone, text, want string }{
		{"Europe/Amsterdam", "2026-11-24T15:00:00+05:30", "2026-11-24T10:30:00+01:00"},
		{"Europe/Amsterdam", "2026-11-24T15:00:00Z", "2026-11-24T16:00:00+01:00"},
		{"Europe/Amsterdam", "2026-11-24t15:00:00.000z", "2026-11-24T16:00:00+01:00"},
		{"Europe/Amsterdam", "2026-11-24T15:00-0800", "2026-11-25T00:00:00+01:00"},
		{"Europe/Amsterdam", "2026-11-24T15:00", "2026-11-24T15:00:00+01:00"},
		{"Europe/Amsterdam", "2026-07-24 15:00", "2026-07-24T15:00:00+02:00"},
		{"Europe/Amsterdam", " 2026-07-24 15:00:05 ", "2026-07-24T15:00:05+02:00"},
		{"Europe/Amsterdam", "2026-11-24T15:00:59.999999999", "2026-11-24T15:00:59+01:00"},
		{"Europe/Amsterdam", "2026-11-24T15:00[America/New_York]", "2026-11-24T15:00:00-05:00"},
		{"Europe/Amsterdam", "2026-11-24T15:00-05:00[!America/New_York]", "2026-11-24T15:00:00-05:00"},
		{"Europe/Amsterdam", "2026-11-24T15:00Z[America/New_York]", "2026-11-24T10:00:00-05:00"},
		{"Asia/Kathmandu", "2026-11-24T15:00", "2026-11-24T15:00:00+05:45"},
		{"Europe/Amsterdam", "now", "2026-11-24T15:07:23+01:00"},
		{"Europe/Amsterdam", "Tomorrow 15:00", "2026-11-25T15:00:00+01:00"},
		{"Europe/Amsterdam", "tomorrow at 9am", "2026-11-25T09:00:00+01:00"},
		{"Europe/Amsterdam", "today noon", "2026-11-24T12:00:00+01:00"},
		{"Europe/Amsterdam", "today 12am", "2026-11-24T00:00:00+01:00"},
		{"Europe/Amsterdam", "friday 9:30 PM", "2026-11-27T21:30:00+01:00"},
		{"Europe/Amsterdam", "tuesday 12:30pm", "2026-12-01T12:30:00+01:00"},
		{"Europe/Amsterdam", "next thu 0:05", "2026-12-03T00:05:00+01:00"},
		{"Europe/Amsterdam", "this monday 10:00", "2026-11-23T10:00:00+01:00"},
		{"Europe/Amsterdam", "last sunday 10:00", "2026-11-22T10:00:00+01:00"},
		{"Europe/Amsterdam", "in 2 hours", "2026-11-24T17:07:23+01:00"},
		{"Europe/Amsterdam", "in 1h 30m", "2026-11-24T16:37:23+01:00"},
		{"Europe/Amsterdam", "90 minutes ago", "2026-11-24T13:37:23+01:00"},
		{"Europe/Amsterdam", "in 3 days", "2026-11-27T15:07:23+01:00"},
		{"Europe/Amsterdam", "in 3 days at 9:00", "2026-11-27T09:00:00+01:00"},
		{"Europe/Amsterdam", "7d", "2026-12-01T15:07:23+01:00"},
		{"Europe/Amsterdam", "-7d", "2026-11-17T15:07:23+01:00"},
		{"Europe/Amsterdam", "2 weeks", "2026-12-08T15:07:23+01:00"},
		{"Europe/Amsterdam", "in two weeks", "2026-12-08T15:07:23+01:00"},
		{"Europe/Amsterdam", "an hour ago", "2026-11-24T14:07:23+01:00"},
		{"Europe/Amsterdam", "in three months", "2027-02-24T15:07:23+01:00"},
		{"Europe/Amsterdam", "2 years ago", "2024-11-24T15:07:23+01:00"},
		{"Europe/Amsterdam", "dec 24 at 9am", "2026-12-24T09:00:00+01:00"},
		{"Europe/Amsterdam", "29 february 9am", "2028-02-29T09:00:00+01:00"},
		{"Europe/Amsterdam", "day after tomorrow 9:00", "2026-11-26T09:00:00+01:00"},
		{"America/New_York", "in 3 weeks", "2026-12-15T09:07:23-05:00"},
		{"America/New_York", "4 weeks ago", "2026-10-27T09:07:23-04:00"}, // across the change of 1 November
		{"Pacific/Kiritimati", "tomorrow 00:00", "2026-11-26T00:00:00+14:00"},
	} {
		m, err := timeparse.Parse(c.text, timeparse.Context{Now: now, Zone: zone(t, c.zone)})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := timeparse.RFC3339(m.Time); got != c.want || m.Date || m.IsAmbiguous() || !m.End.Equal(m.Time) {
			t.Errorf("%s: got %s (date %t, twice %t, end %s), want %s", c.text, got, m.Date, m.IsAmbiguous(), m.End, c.want)
		}
	}
}

// On 25 October 2026 clocks in Amsterdam show 02:00 to 03:00 twice.
func TestDurationFromAmbiguousHour(t *testing.T) {
	amsterdam := zone(t, "Europe/Amsterdam")
	for now, want := range map[string]string{
		"2026-10-25T00:30:00Z": "2026-10-25T02:30:00Z", // 02:30 for the first time
		"2026-10-25T01:30:00Z": "2026-10-25T03:30:00Z", // 02:30 for the second time
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		m, err := timeparse.Parse("in 2 hours", timeparse.Context{Now: at.In(amsterdam), Zone: amsterdam})
		if got := m.Time.UTC().Format(time.RFC3339); err != nil || got != want {
			t.Errorf("2 hours after %s are %s, %v; want %s", now, got, err, want)
		}
	}
}

func TestParseDays(t *testing.T) {
	// A Sunday evening in Amsterdam, Monday in Auckland.
	now := time.Date(2026, 11, 29, 20, 0, 0, 0, time.UTC)
	for _, c := range []struct{ zone, text, start, end string }{
		{"Europe/Amsterdam", "2026-11-24", "2026-11-24T00:00:00+01:00", "2026-11-25T00:00:00+01:00"},
		{"Europe/Amsterdam", "2026-10-25", "2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00"}, // 25 hours
		{"Europe/Amsterdam", "2026-11-24[Asia/Tokyo]", "2026-11-24T00:00:00+09:00", "2026-11-25T00:00:00+09:00"},
		{"America/Sao_Paulo", "2018-11-04", "2018-11-04T01:00:00-02:00", "2018-11-05T00:00:00-02:00"}, // without midnight
		{"America/Havana", "2026-11-01", "2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00"},    // with two
		{"Pacific/Apia", "2011-12-29", "2011-12-29T00:00:00-10:00", "2011-12-31T00:00:00+14:00"},
		{"Europe/Amsterdam", "today", "2026-11-29T00:00:00+01:00", "2026-11-30T00:00:00+01:00"},
		{"Pacific/Auckland", "today", "2026-11-30T00:00:00+13:00", "2026-12-01T00:00:00+13:00"},
		{"Europe/Amsterdam", "yesterday", "2026-11-28T00:00:00+01:00", "2026-11-29T00:00:00+01:00"},
		{"Europe/Amsterdam", "sunday", "2026-12-06T00:00:00+01:00", "2026-12-07T00:00:00+01:00"},
		{"Europe/Amsterdam", "monday", "2026-11-30T00:00:00+01:00", "2026-12-01T00:00:00+01:00"},
		{"Europe/Amsterdam", "next monday", "2026-11-30T00:00:00+01:00", "2026-12-01T00:00:00+01:00"},
		{"Europe/Amsterdam", "next sunday", "2026-12-06T00:00:00+01:00", "2026-12-07T00:00:00+01:00"},
		{"Europe/Amsterdam", "this week", "2026-11-23T00:00:00+01:00", "2026-11-30T00:00:00+01:00"},
		{"Europe/Amsterdam", "next week", "2026-11-30T00:00:00+01:00", "2026-12-07T00:00:00+01:00"},
		{"Europe/Amsterdam", "last month", "2026-10-01T00:00:00+02:00", "2026-11-01T00:00:00+01:00"},
		{"Europe/Amsterdam", "weekend", "2026-11-28T00:00:00+01:00", "2026-11-30T00:00:00+01:00"},
		{"Europe/Amsterdam", "feb 29", "2028-02-29T00:00:00+01:00", "2028-03-01T00:00:00+01:00"},
		{"Europe/Amsterdam", "29 nov", "2026-11-29T00:00:00+01:00", "2026-11-30T00:00:00+01:00"},
		{"Europe/Amsterdam", "november", "2026-11-01T00:00:00+01:00", "2026-12-01T00:00:00+01:00"},
		{"Europe/Amsterdam", "October", "2027-10-01T00:00:00+02:00", "2027-11-01T00:00:00+01:00"},
		{"Europe/Amsterdam", "february 2028", "2028-02-01T00:00:00+01:00", "2028-03-01T00:00:00+01:00"},
		{"Europe/Amsterdam", "the 3rd of December", "2026-12-03T00:00:00+01:00", "2026-12-04T00:00:00+01:00"},
		{"Europe/Amsterdam", "end of the month", "2026-11-30T00:00:00+01:00", "2026-12-01T00:00:00+01:00"},
		{"Europe/Amsterdam", "übermorgen", "2026-12-01T00:00:00+01:00", "2026-12-02T00:00:00+01:00"},
		{"Europe/Amsterdam", "Next  Month", "2026-12-01T00:00:00+01:00", "2027-01-01T00:00:00+01:00"},
	} {
		m, err := timeparse.Parse(c.text, timeparse.Context{Now: now, Zone: zone(t, c.zone)})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if start, end := timeparse.RFC3339(m.Time), timeparse.RFC3339(m.End); start != c.start || end != c.end || !m.Date {
			t.Errorf("%s in %s: got %s to %s (date %t), want %s to %s", c.text, c.zone, start, end, m.Date, c.start, c.end)
		}
	}
}

func TestSkippedTimeIsRefusedWithNeighbours(t *testing.T) {
	for _, c := range []struct{ zone, text, before, after string }{
		{"America/New_York", "2026-03-08T02:30", "2026-03-08T01:59:59-05:00", "2026-03-08T03:00:00-04:00"},
		{"America/New_York", "2026-03-08T02:00", "2026-03-08T01:59:59-05:00", "2026-03-08T03:00:00-04:00"},
		{"America/New_York", "2026-03-08T02:59:59", "2026-03-08T01:59:59-05:00", "2026-03-08T03:00:00-04:00"},
		{"UTC", "2026-03-08T02:30[America/New_York]", "2026-03-08T01:59:59-05:00", "2026-03-08T03:00:00-04:00"},
		{"Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-04T01:59:59+10:30", "2026-10-04T02:30:00+11:00"},
		{"Pacific/Apia", "2011-12-30T12:00", "2011-12-29T23:59:59-10:00", "2011-12-31T00:00:00+14:00"},
		{"Pacific/Apia", "2011-12-30", "2011-12-29T23:59:59-10:00", "2011-12-31T00:00:00+14:00"},
		{"Europe/Dublin", "2026-03-29T01:30", "2026-03-29T00:59:59Z", "2026-03-29T02:00:00+01:00"},
		{"Antarctica/Troll", "2026-03-29T02:30", "2026-03-29T00:59:59Z", "2026-03-29T03:00:00+02:00"},
		{"Africa/Casablanca", "2026-03-22T02:30", "2026-03-22T01:59:59Z", "2026-03-22T03:00:00+01:00"},
		{"Europe/Amsterdam", "tomorrow 2:30", "2026-03-29T01:59:59+01:00", "2026-03-29T03:00:00+02:00"},
		{"Europe/Amsterdam", "in 1 day 2:30", "2026-03-29T01:59:59+01:00", "2026-03-29T03:00:00+02:00"},
	} {
		now := time.Date(2026, 3, 28, 9, 0, 0, 0, time.UTC)
		_, err := timeparse.Parse(c.text, timeparse.Context{Now: now, Zone: zone(t, c.zone)})
		var gap *timeparse.GapError
		if !errors.As(err, &gap) {
			t.Errorf("%s in %s: got %v", c.text, c.zone, err)
			continue
		}
		if before, after := timeparse.RFC3339(gap.Before), timeparse.RFC3339(gap.After); before != c.before || after != c.after {
			t.Errorf("%s in %s: got %s and %s, want %s and %s", c.text, c.zone, before, after, c.before, c.after)
		}
	}
	_, err := timeparse.Parse("2026-03-08T02:30", timeparse.Context{Zone: zone(t, "America/New_York")})
	want := "2026-03-08 02:30 does not exist in America/New_York: the clock goes from 2026-03-08 01:59:59 to 2026-03-08 03:00:00 -04:00; give a time before or after that"
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestAmbiguousTimeIsTheFirst(t *testing.T) {
	for _, c := range []struct{ zone, text, first, second string }{
		{"America/New_York", "2026-11-01T01:30", "2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00"},
		{"America/New_York", "2026-11-01T01:00", "2026-11-01T01:00:00-04:00", "2026-11-01T01:00:00-05:00"},
		{"America/New_York", "2026-11-01T02:00", "2026-11-01T02:00:00-05:00", ""},
		{"America/New_York", "2026-11-01T01:30-05:00", "2026-11-01T01:30:00-05:00", ""},
		{"Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-05T01:45:00+11:00", "2026-04-05T01:45:00+10:30"},
		{"Australia/Lord_Howe", "2026-04-05T01:15", "2026-04-05T01:15:00+11:00", ""},
		{"Europe/Dublin", "2026-10-25T01:30", "2026-10-25T01:30:00+01:00", "2026-10-25T01:30:00Z"},
		{"Antarctica/Troll", "2026-10-25T01:30", "2026-10-25T01:30:00+02:00", "2026-10-25T01:30:00Z"},
		{"Africa/Casablanca", "2026-02-15T02:30", "2026-02-15T02:30:00+01:00", "2026-02-15T02:30:00Z"},
	} {
		m, err := timeparse.Parse(c.text, timeparse.Context{Zone: zone(t, c.zone)})
		if err != nil {
			t.Errorf("%s in %s: %v", c.text, c.zone, err)
			continue
		}
		second := ""
		if m.IsAmbiguous() {
			second = timeparse.RFC3339(m.Second)
		}
		if first := timeparse.RFC3339(m.Time); first != c.first || second != c.second {
			t.Errorf("%s in %s: got %s and %q, want %s and %q", c.text, c.zone, first, second, c.first, c.second)
		}
	}
}

func TestParseRefusesOtherText(t *testing.T) {
	for _, text := range []string{
		"", "   ", "\n", "garbage", "2026", "2026-11", "20261124", "24-11-2026", "11/24/2026", "2026-1-2",
		"2026-02-30", "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01", "9999-12-31T23:59", "10000-01-01", "292277-01-01",
		"1899-12-31", "2201-01-01", "2026-11-24T24:00", "2026-11-24T23:59:60", "2026-11-24T23:60", "2026-11-24T9:00", "2026-11-24T",
		"2026-11-24T15", "2026-11-24T15:00:", "2026-11-24T15:00:00.", "2026-11-24T15:00+1", "2026-11-24T15:00+24:00", "2026-11-24T15:00 UTC",
		"2026-11-24T15:00ZZ", "2026-11-24T15:00[Europe/Amsterdam", "2026-11-24T15:00+02:00[Europe/Amsterdam]", "2026-11-24T15:00+02:00[UTC]", "2026-11-24Z",
		"2026-11-24T15:00\r\nEXDATE:1", "2026-11-24T15:00[Europe/Amsterdam][u-ca=hebrew]", "tomorrow 25:00", "tomorrow 13pm", "tomorrow 0am", "tomorrow 9",
		"tomorrow at", "next week 9am", "next", "next year", "in", "ago", "in 2", "in 2 moons", "in 1.5 days", "2 hours 9am", "7", "-", "1d 1d", "in 999999 weeks", "in 99999999999999999999h",
		"15:00", "tues day", "mo", "now 9am", "\u00a0", "２０２６-11-24", strings.Repeat("9", 1<<20), strings.Repeat("tomorrow ", 1<<16),
	} {
		_, err := timeparse.Parse(text, timeparse.Context{Now: time.Now(), Zone: zone(t, "Europe/Amsterdam")})
		var form *timeparse.FormError
		var name *timeparse.ZoneError
		if !errors.As(err, &form) && !errors.As(err, &name) {
			t.Errorf("%.40q: got error %v", text, err)
			continue
		}
		if said := err.Error(); len(said) > 500 || strings.ContainsAny(said, "\r\n\x00") {
			t.Errorf("%.40q: the error reads %q", text, said)
		}
	}
	_, err := timeparse.Parse("2026-11-24T15:00[Mars/Phobos]", timeparse.Context{Zone: time.UTC})
	var none *timeparse.ZoneError
	if !errors.As(err, &none) || none.Name != "Mars/Phobos" {
		t.Errorf("an unknown zone behind a time: got %v", err)
	}
}
