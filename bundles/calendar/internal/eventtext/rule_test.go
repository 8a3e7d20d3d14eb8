package eventtext

import (
	"strings"
	"testing"
	"time"

	"kota/bundles/calendar/internal/eventtime"
)

func TestDescribeRule(t *testing.T) {
	for lines, want := range map[string]string{
		"RRULE:FREQ=DAILY":                                                 "every day",
		"RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR":                           "every week on weekdays",
		"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;WKST=SU;COUNT=10":           "every 2 weeks on Tue, 10 times",
		"RRULE:FREQ=MONTHLY;BYDAY=2TU":                                     "every month on the 2nd Tue",
		"RRULE:FREQ=MONTHLY;BYDAY=-1FR,-2MO,+3WE":                          "every month on the last Fri, the 2nd last Mon and the 3rd Wed",
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=15,-1":                              "every month on day 15, -1",
		"RRULE:FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU":                        "every year on the last Sun in Mar and Oct",
		"RRULE:FREQ=WEEKLY;UNTIL=20261231":                                 "every week until 2026-12-31",
		"RRULE:FREQ=WEEKLY;UNTIL=20261231T230000Z":                         "every week until 2027-01-01",
		"RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1":                          "every month on Mon with BYSETPOS=-1",
		"RRULE:FREQ=DAILY|EXDATE;TZID=UTC:20261124T090000,20261125T090000": "every day, except 2 days",
		"RDATE;VALUE=DATE:20261124":                                        "1 more day",
		"RRULE:FREQ=DAILY|EXRULE:FREQ=WEEKLY":                              "every day, and other rules",
	} {
		if got := DescribeRule(strings.Split(lines, "|"), eventtime.Span{Zone: loadZone(t, "Europe/Amsterdam")}); got != want {
			t.Errorf("%s: got %q, want %q", lines, got, want)
		}
	}
}

func TestDescribeInvalidRule(t *testing.T) {
	for _, lines := range [][]string{
		{}, {""}, {"RRULE:"}, {"RRULE:FREQ=;BYDAY=,;BYMONTH=,;UNTIL=;COUNT="}, {"RRULE:FREQ=SECONDLY;COUNT=1000000000"}, {"RRULE:BYDAY=X"},
		{"RRULE:FREQ=DAILY\r\nATTENDEE:mailto:eve@example.com"}, {"RRULE:FREQ=" + strings.Repeat("X", 10_000)}, {"RRULE:BYDAY=0MO,53MO,é"},
	} {
		if got := DescribeRule(lines, eventtime.Span{Zone: time.UTC}); len(got) > 200 || strings.ContainsAny(got, "\r\n") {
			t.Errorf("%.60q: got %.300q", lines, got)
		}
	}
}
