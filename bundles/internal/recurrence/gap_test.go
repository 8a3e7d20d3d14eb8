package recurrence_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"kota/bundles/internal/recurrence"
)

// Clocks in Amsterdam skip 02:00 to 03:00 on Sunday 2027-03-28.
func TestStartOutsideGapKeepsInstances(t *testing.T) {
	const form = "0102T1504"
	skipped := time.Date(2027, 3, 28, 2, 30, 0, 0, time.UTC)
	from := recurrence.Start{Zone: zone(t, "Europe/Amsterdam"), Skipped: skipped}
	for _, c := range []struct {
		lines []string
		start string
		kept  []string
		want  string
	}{
		{[]string{"RRULE:FREQ=DAILY;COUNT=3"}, "0327T0230",
			[]string{"RRULE:FREQ=DAILY;COUNT=4", "EXDATE;TZID=Europe/Amsterdam:20270327T023000"}, "0328T0330 0329T0230 0330T0230"},
		{[]string{"RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20270403T215959Z"}, "0325T0230",
			[]string{"RRULE:FREQ=DAILY;UNTIL=20270403T215959Z;INTERVAL=3", "EXDATE;TZID=Europe/Amsterdam:20270325T023000"}, "0328T0330 0331T0230 0403T0230"},
		{[]string{"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,SU;COUNT=3"}, "0324T0230",
			[]string{"RRULE:FREQ=WEEKLY;COUNT=4;INTERVAL=2;BYDAY=WE,SU", "EXDATE;TZID=Europe/Amsterdam:20270324T023000"}, "0328T0330 0407T0230 0411T0230"},
		{[]string{"RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29;COUNT=3"}, "0228T0230",
			[]string{"RRULE:FREQ=MONTHLY;COUNT=4;BYMONTHDAY=28,29", "EXDATE;TZID=Europe/Amsterdam:20270228T023000"}, "0328T0330 0329T0230 0428T0230"},
		{[]string{"RRULE:FREQ=YEARLY;COUNT=2"}, "0328T0230",
			[]string{"RRULE:FREQ=YEARLY;COUNT=3", "EXDATE;TZID=Europe/Amsterdam:20260328T023000"}, "0328T0330 0328T0230"},
		{[]string{"RRULE:FREQ=WEEKLY;COUNT=2", "EXDATE;TZID=Europe/Amsterdam:20270404T023000", "RDATE;TZID=Europe/Amsterdam:20270405T023000"}, "0321T0230",
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3", "RDATE;TZID=Europe/Amsterdam:20270405T023000", "EXDATE;TZID=Europe/Amsterdam:20270321T023000,20270404T023000"}, "0328T0330 0405T0230"},
		{[]string{"RDATE;TZID=Europe/Amsterdam:20270405T023000"}, "0328T0330",
			[]string{"RDATE;TZID=Europe/Amsterdam:20270405T023000"}, "0328T0330 0405T0230"},
		{[]string{"RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;COUNT=2"}, "0328T0330", // which clocks never show
			[]string{"RRULE:FREQ=YEARLY;COUNT=2;BYMONTH=3;BYDAY=-1SU"}, "0328T0330 0326T0330"},
	} {
		s := parse(t, from, c.lines...)
		if got := shown(all(s, 5), form); got != c.want {
			t.Errorf("%q: %s, want %s", c.lines, got, c.want)
		}
		out, err := s.StartOutsideGap()
		if err != nil {
			t.Errorf("%q: %v", c.lines, err)
			continue
		}
		if got := out.Start(); got.Time.Format(form) != c.start || !got.Skipped.IsZero() || !slices.Equal(out.Lines(), c.kept) {
			t.Errorf("%q: starts %+v with %q", c.lines, got, out.Lines())
		}
		again := parse(t, out.Start(), out.Lines()...)
		if got := shown(all(again, 5), form); got != c.want {
			t.Errorf("%q as it is kept: %s, want %s", c.lines, got, c.want)
		}
	}
	_, err := parse(t, from, "RRULE:FREQ=WEEKLY", "RRULE:FREQ=MONTHLY").StartOutsideGap()
	if wrong := (*recurrence.RuleError)(nil); !errors.As(err, &wrong) {
		t.Errorf("two rules: got %v", err)
	}
}

func TestSplitAtSkippedTime(t *testing.T) {
	s := parse(t, start(t, "20270321T023000", "Europe/Amsterdam"), "RRULE:FREQ=WEEKLY;COUNT=3")
	at := all(s, 5)[1]
	if got := s.LocalTimeOf(at); !got.Equal(time.Date(2027, 3, 28, 2, 30, 0, 0, time.UTC)) {
		t.Errorf("counted as %v", got)
	}
	halves, err := s.Split(at)
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(all(parse(t, halves.Start, halves.After...), 5), "0102T1504"); got != "0328T0330 0404T0230" {
		t.Errorf("the second half is %s by %q", got, halves.After)
	}
}
