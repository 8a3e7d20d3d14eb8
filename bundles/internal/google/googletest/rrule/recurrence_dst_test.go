package rrule

import (
	"slices"
	"testing"
	"time"
)

// Instances of a series where the clocks change, in UTC.
func TestLocalTimeUsesOffsetBeforeClockChange(t *testing.T) {
	for _, c := range []struct {
		name, zone, start string
		lines             []string
		want              []string
	}{
		{"New York springs forward over the start", "America/New_York", "2026-03-07 02:30", []string{"RRULE:FREQ=DAILY;COUNT=3"},
			[]string{"2026-03-07 07:30", "2026-03-08 07:30", "2026-03-09 06:30"}}, // 03:30 EDT on the 8th
		{"New York falls back over the start", "America/New_York", "2026-10-31 01:30", []string{"RRULE:FREQ=DAILY;COUNT=3"},
			[]string{"2026-10-31 05:30", "2026-11-01 05:30", "2026-11-02 06:30"}}, // 01:30 EDT on the 1st
		{"Lord Howe moves by half an hour: the gap", "Australia/Lord_Howe", "2026-10-03 02:15", []string{"RRULE:FREQ=DAILY;COUNT=3"},
			[]string{"2026-10-02 15:45", "2026-10-03 15:45", "2026-10-04 15:15"}}, // 02:45 +11 on the 4th
		{"Lord Howe moves by half an hour: the fold", "Australia/Lord_Howe", "2026-04-04 01:45", []string{"RRULE:FREQ=DAILY;COUNT=3"},
			[]string{"2026-04-03 14:45", "2026-04-04 14:45", "2026-04-05 15:15"}}, // 01:45 +11 on the 5th
		{"Apia leaves out a whole day", "Pacific/Apia", "2011-12-28 10:00", []string{"RRULE:FREQ=DAILY;COUNT=5"},
			// The 30th did not exist; with the offset before it, it is the
			// 31st, which is not a second instance.
			[]string{"2011-12-28 20:00", "2011-12-29 20:00", "2011-12-30 20:00", "2011-12-31 20:00"}},
		{"midnight is left out in Beirut", "Asia/Beirut", "2026-03-28 00:00", []string{"RRULE:FREQ=DAILY;COUNT=2"},
			[]string{"2026-03-27 22:00", "2026-03-28 22:00"}}, // 01:00 on the 29th
		{"before the zone had offsets", "America/New_York", "1883-11-17 12:00", []string{"RRULE:FREQ=DAILY;COUNT=3"},
			[]string{"1883-11-17 16:56", "1883-11-18 16:56", "1883-11-19 17:00"}},
		{"far beyond what the database lists", "Europe/Berlin", "2080-12-30 09:00", []string{"RRULE:FREQ=DAILY;COUNT=3"},
			[]string{"2080-12-30 08:00", "2080-12-31 08:00", "2081-01-01 08:00"}},
		{"an excluded time in the gap", "America/New_York", "2026-03-07 02:30", []string{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260308T023000"},
			[]string{"2026-03-07 07:30", "2026-03-09 06:30"}},
		{"excluded in another zone, and in UTC", "America/New_York", "2026-03-07 09:00", []string{"RRULE:FREQ=DAILY;COUNT=4", "EXDATE;TZID=Europe/Berlin:20260308T140000", "EXDATE:20260309T130000Z"},
			[]string{"2026-03-07 14:00", "2026-03-10 13:00"}}, // excluded instances count
		{"excluded in the event's zone unsaid", "America/New_York", "2026-03-07 09:00", []string{"RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260308T090000"},
			[]string{"2026-03-07 14:00"}},
		{"not excluded by another time of the day", "America/New_York", "2026-03-07 09:00", []string{"RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260308T090001"},
			[]string{"2026-03-07 14:00", "2026-03-08 13:00"}},
		{"until the instance itself", "America/New_York", "2026-03-07 09:00", []string{"RRULE:FREQ=DAILY;UNTIL=20260309T130000Z"},
			[]string{"2026-03-07 14:00", "2026-03-08 13:00", "2026-03-09 13:00"}},
		{"until a second before it", "America/New_York", "2026-03-07 09:00", []string{"RRULE:FREQ=DAILY;UNTIL=20260309T125959Z"},
			[]string{"2026-03-07 14:00", "2026-03-08 13:00"}},
		{"until a day of the zone, which is another in UTC", "America/New_York", "2026-03-07 23:00", []string{"RRULE:FREQ=DAILY;UNTIL=20260308"},
			[]string{"2026-03-08 04:00", "2026-03-09 03:00"}},
		{"the first is excluded, and counts", "Europe/Paris", "2026-06-01 08:00", []string{"EXDATE;TZID=Europe/Paris:20260601T080000", "RRULE:FREQ=DAILY;COUNT=2"},
			[]string{"2026-06-02 06:00"}},
		{"added once, twice said", "Europe/Paris", "2026-06-01 08:00", []string{"RDATE;TZID=Europe/Paris:20260603T100000,20260603T100000", "RDATE:20260602T060000Z", "RRULE:FREQ=DAILY;COUNT=2"},
			[]string{"2026-06-01 06:00", "2026-06-02 06:00", "2026-06-03 08:00"}},
		{"dates alone", "Europe/Paris", "2026-06-01 08:00", []string{"RDATE;TZID=Europe/Paris:20261201T080000"},
			[]string{"2026-06-01 06:00", "2026-12-01 07:00"}},
		{"rules are united, a rule's exceptions taken away", "UTC", "2026-06-01 08:00", []string{"RRULE:FREQ=DAILY;COUNT=5", "RRULE:FREQ=WEEKLY;COUNT=2", "EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2"},
			[]string{"2026-06-02 08:00", "2026-06-04 08:00", "2026-06-05 08:00", "2026-06-08 08:00"}},
		{"several times a day, of which the last is picked", "UTC", "2026-06-01 08:00", []string{"RRULE:FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=8,17;BYMINUTE=0,30;BYSETPOS=1,-1;COUNT=3"},
			[]string{"2026-06-01 08:00", "2026-06-02 17:30", "2026-06-08 08:00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			wall, err := time.Parse("2006-01-02 15:04", c.start)
			if err != nil {
				t.Fatal(err)
			}
			where := zone(t, c.zone)
			r := recurs(t, StartAt(instantOf(wall, where), where), c.lines...)
			got := days(r.Starts(wall.AddDate(1, 0, 0)), time.UTC)
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
		})
	}
}

func TestSeriesMayStartAtSecondAmbiguousTime(t *testing.T) {
	start := StartAt(time.Date(2026, 11, 1, 6, 30, 0, 0, time.UTC), zone(t, "America/New_York")) // 01:30 EST, an hour after 01:30 EDT
	got := days(recurs(t, start, "RRULE:FREQ=DAILY;COUNT=2").Starts(start.At.AddDate(1, 0, 0)), time.UTC)
	if want := []string{"2026-11-01 06:30", "2026-11-02 06:30"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAllDaySeriesHasNoZone(t *testing.T) {
	start := StartOn(time.Date(2026, 3, 7, 0, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		name  string
		lines []string
		want  int
	}{
		{"until a day, itself still in", []string{"RRULE:FREQ=DAILY;UNTIL=20260309"}, 3},
		{"until a time in UTC, as Google has written it", []string{"RRULE:FREQ=DAILY;UNTIL=20260309T070000Z"}, 3},
		{"with and without VALUE=DATE", []string{"RRULE:FREQ=DAILY;COUNT=4", "EXDATE;VALUE=DATE:20260308", "EXDATE:20260309"}, 2},
		{"the guide's example", []string{"EXDATE;VALUE=DATE:20260310", "RDATE;VALUE=DATE:20260309,20260311", "RRULE:FREQ=DAILY;UNTIL=20260328;INTERVAL=3"}, 9},
	} {
		if got := recurs(t, start, c.lines...).Starts(start.Local.AddDate(1, 0, 0)); len(got) != c.want {
			t.Errorf("%s: got %v, want %d", c.name, got, c.want)
		}
	}
}

func TestAnEndlessRuleEndsWithTheWindow(t *testing.T) {
	start := StartAt(time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC), time.UTC)
	before := time.Date(2036, 1, 1, 9, 0, 0, 0, time.UTC)
	if got := recurs(t, start, "RRULE:FREQ=DAILY;COUNT=1000000000").Starts(before); len(got) != 3652 || !got[3651].Equal(before.AddDate(0, 0, -1)) {
		t.Errorf("got %d", len(got))
	}
	if got := recurs(t, start, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30").Starts(before); len(got) != 1 {
		t.Errorf("got %v, want DTSTART alone", got)
	}
}
