package recurrence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/internal/recurrence"
)

func TestInstancesKeepLocalTime(t *testing.T) {
	for _, c := range []struct{ zone, start, rule, want string }{
		// Across both changes.
		{"America/New_York", "20260307T090000", "FREQ=DAILY;COUNT=3", "2026-03-07T09:00:00-05:00 2026-03-08T09:00:00-04:00 2026-03-09T09:00:00-04:00"},
		{"America/New_York", "20261031T090000", "FREQ=DAILY;COUNT=3", "2026-10-31T09:00:00-04:00 2026-11-01T09:00:00-05:00 2026-11-02T09:00:00-05:00"},
		// At a time that clocks skip: with the offset from before, and counted
		// (RFC 5545 section 3.3.5).
		{"America/New_York", "20260307T023000", "FREQ=DAILY;COUNT=3", "2026-03-07T02:30:00-05:00 2026-03-08T03:30:00-04:00 2026-03-09T02:30:00-04:00"},
		{"Australia/Lord_Howe", "20261003T021500", "FREQ=DAILY;COUNT=3", "2026-10-03T02:15:00+10:30 2026-10-04T02:45:00+11:00 2026-10-05T02:15:00+11:00"},
		// At a time that clocks show twice: the first.
		{"America/New_York", "20261031T013000", "FREQ=DAILY;COUNT=3", "2026-10-31T01:30:00-04:00 2026-11-01T01:30:00-04:00 2026-11-02T01:30:00-05:00"},
		// An instance on the day that Samoa skipped is on the next day.
		{"Pacific/Apia", "20111229T090000", "FREQ=DAILY;COUNT=4", "2011-12-29T09:00:00-10:00 2011-12-31T09:00:00+14:00 2012-01-01T09:00:00+14:00"},
		{"Pacific/Apia", "20111229", "FREQ=DAILY;COUNT=4", "2011-12-29T00:00:00-10:00 2011-12-31T00:00:00+14:00 2012-01-01T00:00:00+14:00"},
		// A day without midnight begins at one.
		{"America/Sao_Paulo", "20181103", "FREQ=DAILY;COUNT=3", "2018-11-03T00:00:00-03:00 2018-11-04T01:00:00-02:00 2018-11-05T00:00:00-02:00"},
		// Two times of a day change their order if clocks skip the first.
		{"America/New_York", "20260308T013000", "FREQ=DAILY;COUNT=4;BYHOUR=2,3;BYMINUTE=0,30", "2026-03-08T01:30:00-05:00 2026-03-08T03:00:00-04:00 2026-03-08T03:30:00-04:00"},
	} {
		s := parse(t, start(t, c.start, c.zone), "RRULE:"+c.rule)
		if got := shown(all(s, 10), time.RFC3339); got != c.want {
			t.Errorf("%s in %s:\ngot  %s\nwant %s", c.rule, c.zone, got, c.want)
		}
	}
}

func TestStartIsAnInstance(t *testing.T) {
	// A Thursday, of a series on Wednesdays: COUNT counts the Wednesdays.
	s := parse(t, start(t, "20240530T200000", "Europe/Berlin"), "RRULE:FREQ=WEEKLY;COUNT=3;INTERVAL=1;BYDAY=WE")
	if got, want := shown(all(s, 10), "0102"), "0530 0605 0612 0619"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	again := time.Date(2026, 11, 1, 6, 30, 0, 0, time.UTC) // the second 01:30 of the day in New York
	twice := recurrence.Start{Time: again, Zone: zone(t, "America/New_York")}
	if got, want := shown(all(parse(t, twice, "FREQ=DAILY;COUNT=2"), 10), time.RFC3339), "2026-11-01T01:30:00-05:00 2026-11-02T01:30:00-05:00"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRulesAndDatesAreCombined(t *testing.T) {
	s := parse(t, start(t, "20260105T090000", "Europe/Amsterdam"),
		"rrule:freq=weekly;count=4",
		"RRULE:FREQ=DAILY;COUNT=2",
		"EXRULE:FREQ=MONTHLY;BYMONTHDAY=19",
		"RDATE:20260107T080000Z,20260106T080000Z",
		`EXDATE;TZID="America/New_York":20260112T030000`,
		"EXDATE;VALUE=DATE-TIME:20260301T090000",
	)
	if got, want := shown(all(s, 10), "0102T1504"), "0105T0900 0106T0900 0107T0900 0126T0900"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want := []string{
		"RRULE:FREQ=WEEKLY;COUNT=4",
		"RRULE:FREQ=DAILY;COUNT=2",
		"EXRULE:FREQ=MONTHLY;BYMONTHDAY=19",
		"RDATE;TZID=Europe/Amsterdam:20260106T090000,20260107T090000",
		"EXDATE;TZID=Europe/Amsterdam:20260112T090000,20260301T090000",
	}
	if diff := cmp.Diff(want, s.Lines()); diff != "" || len(s.Notes()) > 0 {
		t.Errorf("notes %q, lines:\n%s", s.Notes(), diff)
	}
	if before, _ := s.Between(time.Time{}, start(t, "20260126T090000", "Europe/Amsterdam").Time.Add(-time.Second), 100); len(before) != 3 {
		t.Errorf("before the last there are %v, want 3", before)
	}
	if first, ok := parse(t, start(t, "20260105", "UTC"), "RRULE:FREQ=DAILY;COUNT=1", "EXDATE:20260105").First(); ok {
		t.Errorf("a series of which all is excluded begins at %v", first)
	}
}

func TestParseAcceptsCommonDeviations(t *testing.T) {
	for _, c := range []struct{ start, line, want, note string }{
		{"20260105T090000", "RRULE:FREQ=DAILY;UNTIL=20261231", "RRULE:FREQ=DAILY;UNTIL=20261231T225959Z", "was read in Europe/Amsterdam"},
		{"20260105T090000", "RRULE:FREQ=DAILY;UNTIL=20260731T090000", "RRULE:FREQ=DAILY;UNTIL=20260731T070000Z", "was read in Europe/Amsterdam"},
		{"20260105", "RRULE:FREQ=DAILY;UNTIL=20261231T235959Z", "RRULE:FREQ=DAILY;UNTIL=20261231", "has whole days"},
		{"20260105T090000", "RRULE:FREQ=DAILY;UNTIL=20260105", "RRULE:FREQ=DAILY;UNTIL=20260105T225959Z", "was read"},
		{"20260105T090000", "freq=weekly;byday=mo,mo,we;interval=01;wkst=MO", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE", ""},
	} {
		s := parse(t, start(t, c.start, "Europe/Amsterdam"), c.line)
		notes := strings.Join(s.Notes(), "; ")
		if got := strings.Join(s.Lines(), " "); got != c.want || !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: got %s (%s), want %s", c.line, got, notes, c.want)
		}
	}
	// Google stores it, and still shows the event.
	s := parse(t, start(t, "20260105T090000", "Europe/Amsterdam"), "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260106")
	if len(all(s, 10)) != 3 || len(s.Lines()) != 1 || len(s.Notes()) != 1 {
		t.Errorf("the day of a timed series: got %v, lines %q, notes %q", all(s, 10), s.Lines(), s.Notes())
	}
}

func TestBetweenIsHalfOpen(t *testing.T) {
	s := parse(t, start(t, "20260105T090000", "UTC"), "RRULE:FREQ=DAILY")
	at := func(day, hour int) time.Time { return time.Date(2026, 1, day, hour, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		from, to time.Time
		most     int
		want     string
		more     bool
	}{
		{at(6, 9), at(8, 9), 10, "06 07", false},
		{at(6, 10), at(8, 10), 10, "07 08", false},
		{at(1, 0), at(6, 0), 10, "05", false},
		{at(1, 0), at(5, 9), 10, "", false},
		{at(6, 9), at(8, 9), 1, "06", true},
		{at(6, 9), at(8, 9), 2, "06 07", false},
		{at(6, 9), at(8, 9), 0, "", true},
		{at(8, 9), at(6, 9), 10, "", false},
		{at(8, 9), at(8, 9), 10, "", false},
	} {
		got, more := s.Between(c.from, c.to, c.most)
		if shown(got, "02") != c.want || more != c.more {
			t.Errorf("%v to %v, at most %d: got %s, more %t", c.from, c.to, c.most, shown(got, "02"), more)
		}
	}
	// The Friday that Samoa skipped is the Saturday after it, also for a query
	// that begins there.
	samoa := parse(t, start(t, "20111223T090000", "Pacific/Apia"), "RRULE:FREQ=DAILY;BYDAY=FR")
	from := start(t, "20111231T000000", "Pacific/Apia").Time
	if got, _ := samoa.Between(from, from.AddDate(0, 0, 7), 10); shown(got, "0102T1504") != "1231T0900 0106T0900" {
		t.Errorf("from the day after the one left out: got %s", shown(got, time.RFC3339))
	}
	end := time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)
	if got, more := s.Between(time.Date(2199, 12, 31, 0, 0, 0, 0, time.UTC), end, 1000); len(got) != 1+365 || more {
		t.Errorf("%d instances from the last day of 2199 on, want those to the end of 2200", len(got))
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20271231T225959Z;BYDAY=TU,TH;WKST=SU", "RRULE:FREQ=YEARLY;BYWEEKNO=20,-1;BYDAY=MO", "RRULE:FREQ=MONTHLY;COUNT=3;BYDAY=MO,2TU,-1FR;BYSETPOS=1,-1",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "RRULE:FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30", "EXRULE:FREQ=YEARLY;BYYEARDAY=-366", "EXDATE;TZID=Europe/Amsterdam:20260113T150000", "RDATE;VALUE=DATE:20260113,20260114",
	} {
		f.Add(line, "", int64(1767686400), false)
		f.Add("RRULE:FREQ=DAILY;COUNT=9", line, int64(1774746000), true)
	}
	f.Fuzz(func(t *testing.T, one, two string, unix int64, date bool) {
		begun := recurrence.Start{Time: time.Unix(min(max(unix, -2e9), 7e9), 0), Zone: zone(t, "Australia/Lord_Howe"), Date: date}
		lines := []string{one}
		if two != "" {
			lines = append(lines, two)
		}
		s, err := recurrence.Parse(lines, begun)
		if err != nil {
			return
		}
		whole := all(s, 100)
		for i, at := range whole {
			if i > 0 && !at.After(whole[i-1]) {
				t.Fatalf("%q: %v after %v", lines, at, whole[i-1])
			}
		}
		again, err := recurrence.Parse(s.Lines(), begun)
		if err != nil || !same(all(again, 100), whole) {
			t.Fatalf("%q: as sent %q, error %v", lines, s.Lines(), err)
		}
		if len(whole) > 2 {
			at := whole[len(whole)/2]
			if halves, err := s.Split(at); err == nil && len(whole)/2 != len(splitHalf(t, halves.Before, begun, 1000)) {
				t.Errorf("%q at %v: before %q", lines, at, halves.Before)
			}
		}
	})
}

// The calendar's limit is 20 ms for ten years of a daily rule.
func BenchmarkTenYearsDaily(b *testing.B) {
	begun := start(b, "20160105T090000", "Europe/Amsterdam")
	from := time.Date(2016, 1, 1, 0, 0, 0, 0, time.UTC)
	for b.Loop() {
		s := parse(b, begun, "RRULE:FREQ=DAILY")
		if got, _ := s.Between(from, from.AddDate(10, 0, 0), 10_000); len(got) < 3600 {
			b.Fatalf("%d instances", len(got))
		}
	}
}

func BenchmarkAWeekAfterFortyYears(b *testing.B) {
	s := parse(b, start(b, "19860107T090000", "Europe/Amsterdam"), "RRULE:FREQ=WEEKLY;BYDAY=TU,TH")
	from := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	for b.Loop() {
		if got, _ := s.Between(from, from.AddDate(0, 0, 7), 10); len(got) != 2 {
			b.Fatalf("%d instances", len(got))
		}
	}
}

func BenchmarkARuleThatNeverHappens(b *testing.B) {
	begun := start(b, "19000101T090000", "UTC")
	for b.Loop() {
		if _, err := recurrence.Parse([]string{"RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"}, begun); err == nil {
			b.Fatal("it was read")
		}
	}
}
