package recurrence_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/internal/recurrence"
)

func TestSplitKeepsAllInstances(t *testing.T) {
	t.Parallel()
	d := generator{rand.New(rand.NewPCG(3, 9))}
	split, refused := 0, 0
	for range 1200 {
		c := d.series(len(clockChanges))
		s, err := recurrence.Parse(c.lines, c.start)
		if err != nil {
			continue // counted by TestTenThousandRulesAgainstOracle
		}
		whole := all(s, 50)
		if len(whole) == 0 {
			continue
		}
		i := d.IntN(min(len(whole), 30))
		at := whole[i]
		halves, err := s.Split(at)
		if err != nil {
			// It may refuse an instance that the rule does not give, or that is
			// at a time clocks skip.
			var why *recurrence.RuleError
			if !errors.As(err, &why) || slices.ContainsFunc(c.rule.walls(c.wall, 5000), func(w time.Time) bool { return w.Equal(wallIn(c, at)) }) {
				t.Errorf("%q from %v at %v: %v", c.lines, c.start.Time, at, err)
			}
			refused++
			continue
		}
		if halves.First != (i == 0) {
			t.Errorf("%q from %v at %v: first is %t", c.lines, c.start.Time, at, halves.First)
		}
		if halves.First {
			continue
		}
		split++
		first := splitHalf(t, halves.Before, c.start, 50)
		second := splitHalf(t, halves.After, halves.Start, 50)
		if got := slices.Concat(first, second); len(first) != i || !same(got[:min(50, len(got))], whole) {
			t.Errorf("%q from %v at %v:\nbefore %q\nafter %q\ngot  %s\n%s\nwant %s", c.lines, c.start.Time, at, halves.Before, halves.After,
				shown(first, time.RFC3339), shown(second, time.RFC3339), shown(whole, time.RFC3339))
		}
	}
	if split < 500 || refused > split/5 {
		t.Errorf("%d were split, %d refused: too few to tell", split, refused)
	}
}

// wallIn returns an instance as the rule counts it.
func wallIn(c randomSeries, at time.Time) time.Time {
	wall := inUTC(at.In(c.start.Zone))
	if c.start.Date {
		return wall.Truncate(24 * time.Hour)
	}
	return wall
}

func splitHalf(t *testing.T, lines []string, start recurrence.Start, most int) []time.Time {
	t.Helper()
	if len(lines) == 0 {
		return []time.Time{start.Time}
	}
	s, err := recurrence.Parse(lines, start)
	if err != nil {
		t.Errorf("%q from %v: %v", lines, start.Time, err)
		return nil
	}
	return all(s, most)
}

func TestSplitLikeGoogle(t *testing.T) {
	const in = "Europe/Amsterdam"
	for name, c := range map[string]struct {
		start, at     string
		lines         []string
		before, after []string
		first         bool
	}{
		"without end": {"20260106T150000", "20260120T150000", []string{"RRULE:FREQ=WEEKLY;BYDAY=TU"},
			[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260120T135959Z;BYDAY=TU"}, []string{"RRULE:FREQ=WEEKLY;BYDAY=TU"}, false},
		"with a count, of which the excluded are part": {"20260106T150000", "20260127T150000", []string{"RRULE:FREQ=WEEKLY;COUNT=10", "EXDATE;TZID=Europe/Amsterdam:20260113T150000,20260203T150000"},
			[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260127T135959Z", "EXDATE;TZID=Europe/Amsterdam:20260113T150000"},
			[]string{"RRULE:FREQ=WEEKLY;COUNT=7", "EXDATE;TZID=Europe/Amsterdam:20260203T150000"}, false},
		"with an end": {"20260106T150000", "20260120T150000", []string{"RRULE:FREQ=DAILY;UNTIL=20260301T225959Z"},
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260120T135959Z"}, []string{"RRULE:FREQ=DAILY;UNTIL=20260301T225959Z"}, false},
		"of whole days": {"20260106", "20260120", []string{"RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;VALUE=DATE:20260113"},
			[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260119", "EXDATE;VALUE=DATE:20260113"}, []string{"RRULE:FREQ=WEEKLY;COUNT=2"}, false},
		"after the summer time began": {"20260320T090000", "20260330T090000", []string{"RRULE:FREQ=DAILY"},
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260330T065959Z"}, []string{"RRULE:FREQ=DAILY"}, false},
		"of dates alone": {"20260106T150000", "20260108T150000", []string{"RDATE;TZID=Europe/Amsterdam:20260108T150000,20260109T150000"},
			nil, []string{"RDATE;TZID=Europe/Amsterdam:20260109T150000"}, false},
		"at its first instance":             {"20260106T150000", "20260106T150000", []string{"RRULE:FREQ=DAILY"}, nil, nil, true},
		"at the first that is not excluded": {"20260106T150000", "20260107T150000", []string{"RRULE:FREQ=DAILY", "EXDATE:20260106T140000Z"}, nil, nil, true},
	} {
		s := parse(t, start(t, c.start, in), c.lines...)
		got, err := s.Split(start(t, c.at, in).Time)
		want := recurrence.SplitSeries{First: c.first, Before: c.before, After: c.after}
		if !c.first && !got.Start.Time.Equal(start(t, c.at, in).Time) {
			t.Errorf("%s: the second half starts %v", name, got.Start.Time)
		}
		got.Start = recurrence.Start{}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: error %v, difference:\n%s", name, err, diff)
		}
	}
	s := parse(t, start(t, "20260106T150000", in), "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;TZID=Europe/Amsterdam:20260113T150000")
	for _, at := range []string{"20260113T150000", "20260114T150000", "20260127T150000", "20260106T150001", "20251230T150000"} {
		var refused *recurrence.RuleError
		if halves, err := s.Split(start(t, at, in).Time); !errors.As(err, &refused) {
			t.Errorf("split at %s, where nothing is: got %v, %v", at, halves, err)
		}
	}
	s = parse(t, start(t, "20260106T150000", in), "RRULE:FREQ=WEEKLY;COUNT=3", "RDATE;TZID=Europe/Amsterdam:20260104T150000,20260105T150000", "EXDATE;TZID=Europe/Amsterdam:20260104T150000")
	for _, at := range []string{"20260105T150000", "20260106T150000"} {
		var refused *recurrence.RuleError
		if halves, err := s.Split(start(t, at, in).Time); !errors.As(err, &refused) {
			t.Errorf("split at %s, with an RDATE before the start: got %v, %v", at, halves, err)
		}
	}
	if halves, err := s.Split(start(t, "20260113T150000", in).Time); err != nil || len(halves.Before) != 3 {
		t.Errorf("split after the start, with an RDATE before it: got %v, %v", halves, err)
	}
}

// On the night of a clock gap, 02:30 becomes 03:30, after 03:00 of the same
// rule.
func TestSplitInClockGapKeepsInstances(t *testing.T) {
	t.Parallel()
	for _, hours := range []string{"BYHOUR=2,3;BYMINUTE=0,30", "BYHOUR=2,3;BYMINUTE=0,30;BYSETPOS=2,3"} {
		began := start(t, "20260307T023000", "America/New_York")
		s := parse(t, began, "RRULE:FREQ=DAILY;COUNT=9;"+hours)
		whole, split := all(s, 20), 0
		for i, at := range whole {
			halves, err := s.Split(at)
			if err != nil || halves.First {
				continue
			}
			split++
			got := slices.Concat(splitHalf(t, halves.Before, began, 20), splitHalf(t, halves.After, halves.Start, 20))
			if !same(got, whole) {
				t.Errorf("%s, split at instance %d, %v:\nbefore %q\nafter %q\ngot  %s\nwant %s", hours, i, at, halves.Before, halves.After, shown(got, time.RFC3339), shown(whole, time.RFC3339))
			}
		}
		if split < len(whole)-3 {
			t.Errorf("%s: %d of %d could be split", hours, split, len(whole))
		}
	}
}

func TestMoveKeepsExclusionsAndEnd(t *testing.T) {
	t.Parallel()
	d := generator{rand.New(rand.NewPCG(5, 4))}
	zones := []*time.Location{time.UTC, zone(t, "Europe/Amsterdam"), zone(t, "America/New_York")}
	moves, refused := 0, 0
	for range 500 {
		c := d.series(2) // in UTC, where each local time is one moment
		s, err := recurrence.Parse(c.lines, c.start)
		if err != nil {
			continue
		}
		to := recurrence.Start{Zone: zones[d.IntN(len(zones))], Date: c.start.Date}
		shift := time.Duration(0)
		if !c.start.Date {
			shift = time.Duration(d.IntN(24))*time.Hour - c.wall.Sub(c.wall.Truncate(24*time.Hour))
		}
		sameDay := d.one(2)
		if !sameDay {
			shift += time.Duration(d.IntN(15)) * 24 * time.Hour
		}
		to.Time = firstShown(c.wall.Add(shift), to.Zone)
		if !inUTC(to.Time).Equal(c.wall.Add(shift)) {
			continue // clocks skip it: no event starts there
		}
		moved, err := s.Move(to)
		if err != nil {
			if sameDay && len(c.rule.hours)+len(c.rule.minutes) == 0 {
				t.Errorf("%q from %v to %v: %v", c.lines, c.start.Time, to.Time, err)
			}
			refused++
			continue
		}
		moves++
		if len(c.lines) == 1 && c.rule.until.IsZero() && !sameDay {
			continue // nothing moves with it
		}
		var want []time.Time
		for _, at := range all(s, 60) {
			want = append(want, firstShown(at.Add(shift), to.Zone))
		}
		if got := all(moved, 60); !same(got, want) {
			t.Errorf("%q from %v to %v:\nlines %q\ngot  %s\nwant %s", c.lines, c.start.Time, to.Time, moved.Lines(), shown(got, time.RFC3339), shown(want, time.RFC3339))
		}
	}
	if moves < 50 || refused > moves {
		t.Errorf("%d were moved, %d refused: too few to tell", moves, refused)
	}
}

func TestMoveChangesRuleWithStart(t *testing.T) {
	const in = "Europe/Amsterdam"
	for name, c := range map[string]struct {
		from, to, zone string
		lines, want    []string // want is empty if it is refused
	}{
		"to another day of the week": {"20260106T150000", "20260107T150000", in, []string{"RRULE:FREQ=WEEKLY;BYDAY=TU", "EXDATE;TZID=Europe/Amsterdam:20260113T150000"},
			[]string{"RRULE:FREQ=WEEKLY;BYDAY=WE", "EXDATE;TZID=Europe/Amsterdam:20260114T150000"}},
		"to another hour, and keeps an end that people wrote": {"20260106T150000", "20260106T160000", in, []string{"RRULE:FREQ=DAILY;UNTIL=20260131T225959Z", "EXDATE:20260113T140000Z"},
			[]string{"RRULE:FREQ=DAILY;UNTIL=20260131T225959Z", "EXDATE;TZID=Europe/Amsterdam:20260113T160000"}},
		"to another hour, past its end":    {"20260106T150000", "20260106T160000", in, []string{"RRULE:FREQ=DAILY;UNTIL=20260131T140000Z"}, []string{"RRULE:FREQ=DAILY;UNTIL=20260131T150000Z"}},
		"over the summer time":             {"20260320T090000", "20260320T100000", in, []string{"RRULE:FREQ=DAILY;COUNT=30", "EXDATE:20260330T070000Z"}, []string{"RRULE:FREQ=DAILY;COUNT=30", "EXDATE;TZID=Europe/Amsterdam:20260330T100000"}},
		"to another zone":                  {"20260106T150000", "20260106T150000", "America/New_York", []string{"RRULE:FREQ=DAILY;UNTIL=20260110T140000Z", "EXDATE:20260108T140000Z"}, []string{"RRULE:FREQ=DAILY;UNTIL=20260110T200000Z", "EXDATE;TZID=America/New_York:20260108T150000"}},
		"to whole days":                    {"20260106T150000", "20260106", in, []string{"RRULE:FREQ=DAILY;UNTIL=20260110T140000Z", "EXDATE:20260108T140000Z"}, []string{"RRULE:FREQ=DAILY;UNTIL=20260110", "EXDATE;VALUE=DATE:20260108"}},
		"from whole days":                  {"20260106", "20260107T093000", in, []string{"RRULE:FREQ=DAILY;UNTIL=20260110", "EXDATE;VALUE=DATE:20260108"}, []string{"RRULE:FREQ=DAILY;UNTIL=20260111T083000Z", "EXDATE;TZID=Europe/Amsterdam:20260109T093000"}},
		"to another day of the month":      {"20260106T150000", "20260108T150000", in, []string{"RRULE:FREQ=MONTHLY;BYMONTHDAY=6"}, []string{"RRULE:FREQ=MONTHLY;BYMONTHDAY=8"}},
		"to another day of the year":       {"20260106T150000", "20260208T150000", in, []string{"RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=6"}, []string{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=8"}},
		"by a week, on two days":           {"20260106T150000", "20260113T150000", in, []string{"RRULE:FREQ=WEEKLY;COUNT=6;BYDAY=TU,TH"}, []string{"RRULE:FREQ=WEEKLY;COUNT=6;BYDAY=TU,TH"}},
		"but not one of two days":          {"20260106T150000", "20260107T150000", in, []string{"RRULE:FREQ=WEEKLY;BYDAY=TU,TH"}, nil},
		"nor the second Tuesday":           {"20260113T150000", "20260114T150000", in, []string{"RRULE:FREQ=MONTHLY;BYDAY=2TU"}, nil},
		"nor past the end of short months": {"20260128T150000", "20260131T150000", in, []string{"RRULE:FREQ=MONTHLY", "EXDATE:20260228T140000Z"}, nil},
		"nor hours of the rule":            {"20260106T150000", "20260106T160000", in, []string{"RRULE:FREQ=DAILY;BYHOUR=15,18"}, nil},
	} {
		moved, err := parse(t, start(t, c.from, in), c.lines...).Move(start(t, c.to, c.zone))
		if len(c.want) == 0 {
			var refused *recurrence.RuleError
			if !errors.As(err, &refused) {
				t.Errorf("%s: got error %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, moved.Lines()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
