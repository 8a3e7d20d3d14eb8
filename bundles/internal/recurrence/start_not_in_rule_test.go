package recurrence_test

import (
	"testing"
	"time"

	"kota/bundles/internal/recurrence"
)

func TestStartNotInRule(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	tuesday := time.Date(2026, 11, 24, 17, 30, 0, 0, zone)
	for _, c := range []struct {
		lines []string
		date  bool
		next  string // "" if the start is in the rule
	}{
		{[]string{"RRULE:FREQ=WEEKLY"}, false, ""},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=TU"}, false, ""},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=TH"}, false, "2026-11-26T17:30:00+01:00"},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=TH"}, true, "2026-11-26T00:00:00+01:00"},
		{[]string{"RRULE:FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=3"}, false, "2027-03-31T17:30:00+02:00"},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=TH", "RRULE:FREQ=WEEKLY;BYDAY=WE"}, false, "2026-11-25T17:30:00+01:00"},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=TH", "RRULE:FREQ=WEEKLY;BYDAY=TU"}, false, ""},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=TH", "RDATE:20261124T163000Z"}, false, ""},
		{[]string{"RDATE:20261126T163000Z"}, false, ""},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=TU", "EXDATE:20261124T163000Z"}, false, ""},
	} {
		set, err := recurrence.Parse(c.lines, recurrence.Start{Time: tuesday, Zone: zone, Date: c.date})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if next, stray := set.StartNotInRule(); stray {
			got = next.Format(time.RFC3339)
		}
		if got != c.next {
			t.Errorf("%q, date %v: got %q, want %q", c.lines, c.date, got, c.next)
		}
	}
}
