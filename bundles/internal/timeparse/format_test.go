package timeparse_test

import (
	"testing"
	"time"

	"kota/bundles/internal/timeparse"
)

func at(tb testing.TB, text string) time.Time {
	tb.Helper()
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func TestSpanFormat(t *testing.T) {
	for _, c := range []struct{ zone, start, end, want string }{
		{"Europe/Amsterdam", "2026-11-24T14:00:00Z", "2026-11-24T15:30:00Z", "Tue 2026-11-24 15:00–16:30 +01:00"},
		{"Europe/Amsterdam", "2026-11-24T21:00:00Z", "2026-11-25T00:00:00Z", "Tue 2026-11-24 22:00 – Wed 2026-11-25 01:00 +01:00"},
		{"Europe/Amsterdam", "2026-11-24T21:00:00Z", "2026-11-24T21:00:00Z", "Tue 2026-11-24 22:00 +01:00"},
		{"America/New_York", "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "Sun 2026-11-01 01:30 -04:00 – 01:30 -05:00"},
		{"America/New_York", "2026-10-31T22:00:00Z", "2026-11-01T14:00:00Z", "Sat 2026-10-31 18:00 -04:00 – Sun 2026-11-01 09:00 -05:00"},
		{"Asia/Kathmandu", "2026-11-24T14:00:00Z", "2026-11-24T15:30:00Z", "Tue 2026-11-24 19:45–21:15 +05:45"},
		{"UTC", "2026-11-24T14:00:00Z", "2026-11-24T15:30:00Z", "Tue 2026-11-24 14:00–15:30 +00:00"},
	} {
		if got := timeparse.Span(at(t, c.start), at(t, c.end), zone(t, c.zone)); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestDaysFormat(t *testing.T) {
	day := func(text string) time.Time { return at(t, text+"T00:00:00Z") }
	for _, c := range []struct{ start, end, want string }{
		{"2026-11-24", "2026-11-25", "Tue 2026-11-24, all day"},
		{"2026-11-24", "2026-11-27", "Tue 2026-11-24 – Thu 2026-11-26, all day"},
		{"2026-11-24", "2026-11-24", "Tue 2026-11-24, all day"},
		{"2026-12-31", "2027-01-02", "Thu 2026-12-31 – Fri 2027-01-01, all day"},
	} {
		if got := timeparse.Days(day(c.start), day(c.end)); got != c.want {
			t.Errorf("%s to %s: got %q, want %q", c.start, c.end, got, c.want)
		}
	}
}

func TestStampIsExact(t *testing.T) {
	for _, c := range []struct{ zone, moment, stamp, sent string }{
		{"Europe/Amsterdam", "2026-11-24T14:00:00Z", "2026-11-24T15:00+01:00", "2026-11-24T15:00:00+01:00"},
		{"Europe/Amsterdam", "2026-11-24T14:00:05Z", "2026-11-24T15:00:05+01:00", "2026-11-24T15:00:05+01:00"},
		{"UTC", "2026-11-24T00:00:00Z", "2026-11-24T00:00Z", "2026-11-24T00:00:00Z"},
		{"Asia/Kolkata", "2026-11-23T18:30:00Z", "2026-11-24T00:00+05:30", "2026-11-24T00:00:00+05:30"},
		{"Europe/Amsterdam", "1930-01-01T12:00:00Z", "1930-01-01T12:00Z", "1930-01-01T12:00:00Z"}, // +00:19:32 then, or +00:20
	} {
		moment := at(t, c.moment).In(zone(t, c.zone))
		if _, offset := moment.Zone(); c.zone == "Europe/Amsterdam" && moment.Year() == 1930 && offset%60 == 0 {
			continue // a time zone database without data before 1970
		}
		if got := timeparse.Stamp(moment); got != c.stamp {
			t.Errorf("stamp: got %q, want %q", got, c.stamp)
		}
		if got := timeparse.RFC3339(moment); got != c.sent {
			t.Errorf("sent: got %q, want %q", got, c.sent)
		}
	}
}

func TestLengthFormat(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                                "0m",
		45 * time.Minute:                 "45m",
		90 * time.Minute:                 "1h 30m",
		2 * time.Hour:                    "2h",
		24 * time.Hour:                   "1 day",
		72 * time.Hour:                   "3 days",
		26*time.Hour + 1*time.Second:     "1 day 2h 1s",
		-45 * time.Minute:                "-45m",
		400*24*time.Hour + 1*time.Minute: "400 days 1m",
	} {
		if got := timeparse.Length(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}

func TestParseLength(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"45":                 45 * time.Minute,
		"0":                  0,
		"90m":                90 * time.Minute,
		"1h30m":              90 * time.Minute,
		"1h 30m":             90 * time.Minute,
		" 1 Hour 30 minutes": 90 * time.Minute,
		"1.5h":               90 * time.Minute,
		"1.1h":               66 * time.Minute,
		"30s":                30 * time.Second,
		"2 days":             48 * time.Hour,
		"1 week":             7 * 24 * time.Hour,
		"1d 2h":              26 * time.Hour,
		"PT1H30M":            90 * time.Minute,
		"pt45m":              45 * time.Minute,
		"P1D":                24 * time.Hour,
		"P1DT2H":             26 * time.Hour,
		"P2W":                14 * 24 * time.Hour,
		"366 days":           timeparse.MaxLength,
	} {
		if got, err := timeparse.ParseLength(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", " ", "-5", "-5m", "+5m", "h", "1x", "1h1h", "30m 1h", "1.2.3h", ".h", "1e3m", "NaNm", "infm", "0x10m", "P", "PT", "P1M", "P1Y", "P1H", "PT1D", "PT 1H", "1 month", "1 year",
		"367 days", "999999999999", "99999999999999999999", "9999999w", "1h and more", "1h\x00",
	} {
		if got, err := timeparse.ParseLength(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, got)
		}
	}
}
