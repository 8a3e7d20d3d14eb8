package series

import (
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
)

// The dates of a series keep their time of day in its own zone when clocks change.
// Cancelled dates are left out.
func TestDatesKeepLocalTime(t *testing.T) {
	s := hourAt(t, "2026-10-20T09:00") // clocks go back on 25 October
	target := &Target{Zone: time.UTC}
	series := &calendarapi.Event{Recurrence: []string{"RRULE:FREQ=WEEKLY;COUNT=4"}, Start: eventTime(s.Start), End: eventTime(s.End)}
	got := target.Dates(series, []*calendarapi.Event{instanceAt(t, "2026-11-03T09:00", event.Cancelled)}, s.Start.AddDate(1, 0, 0))
	want := []string{"2026-10-20T09:00", "2026-10-27T09:00", "2026-11-10T09:00"}
	if len(got.WallTimes) != len(want) || got.open {
		t.Fatalf("got %v", got)
	}
	for i, wall := range got.WallTimes {
		if wall.Format("2006-01-02T15:04") != want[i] {
			t.Errorf("date %d is %v, want %s", i, wall, want[i])
		}
	}
	if got := target.Dates(series, nil, s.Start.AddDate(0, 0, 8)); len(got.WallTimes) != 2 || !got.open {
		t.Errorf("later dates are left out: got %v", got)
	}
	if got := target.Dates(&calendarapi.Event{Id: "deleted"}, nil, s.Start); len(got.WallTimes) != 0 {
		t.Errorf("of an event without a time: got %v", got)
	}
}

func TestRuleNoteCountsDates(t *testing.T) {
	dates := func(walls ...string) DateSet {
		set := DateSet{zone: amsterdam(t)}
		for _, wall := range walls {
			on, err := time.Parse("2006-01-02T15:04", wall)
			if err != nil {
				t.Fatal(err)
			}
			set.WallTimes = append(set.WallTimes, on)
		}
		return set
	}
	now, until := hourAt(t, "2026-11-25T12:00").Start, hourAt(t, "2027-11-25T12:00").Start
	before := dates("2026-11-24T09:00", "2026-12-01T09:00", "2026-12-08T09:00")
	open := dates("2026-11-24T09:00")
	open.open = true
	for name, c := range map[string]struct {
		before, after DateSet
		want          string
	}{
		"the same":             {before, before, ""},
		"one future date less": {before, dates("2026-11-24T09:00", "2026-12-01T09:00"), "1 date is removed (Tue 2026-12-08)"},
		"one past date less":   {before, dates("2026-12-01T09:00", "2026-12-08T09:00"), "1 date is removed, 1 of them past (Tue 2026-11-24)"},
		"another hour":         {before, dates("2026-11-24T10:00", "2026-12-01T09:00", "2026-12-08T09:00"), "1 date gets another time of day"},
		"all others":           {before, dates("2026-11-26T09:00"), "3 dates are removed, 1 of them past (Tue 2026-11-24, Tue 2026-12-01, Tue 2026-12-08); 1 date is added (Thu 2026-11-26)"},
		"without an end":       {before, open, "2 dates are removed (Tue 2026-12-01, Tue 2026-12-08); dates after 2027-11-25 are not counted"},
	} {
		if got := RuleNote(c.before, c.after, now, until); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
