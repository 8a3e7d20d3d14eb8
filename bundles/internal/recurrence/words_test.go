package recurrence_test

import "testing"

func TestSeriesAreSaidInWords(t *testing.T) {
	for rule, want := range map[string]string{
		"FREQ=DAILY":                    "daily",
		"FREQ=DAILY;INTERVAL=2;COUNT=5": "every 2 days, 5 times",
		"FREQ=DAILY;COUNT=1":            "daily, 1 time",
		"FREQ=WEEKLY":                   "weekly",
		"FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261231T225959Z":   "every Tue and Thu until 2026-12-31",
		"FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261231T230000Z":   "every Tue and Thu until 2027-01-01", // midnight in Amsterdam
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=10":         "every 2 weeks on Mon, 10 times",
		"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR":                 "every weekday",
		"FREQ=MONTHLY;BYDAY=2TU":                           "monthly on the 2nd Tue",
		"FREQ=MONTHLY;BYDAY=-1FR":                          "monthly on the last Fri",
		"FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1,15,-1":       "every 3 months on the 1st, 15th and last day",
		"FREQ=MONTHLY;BYMONTHDAY=22,23,11,12,13,-2":        "monthly on the 22nd, 23rd, 11th, 12th, 13th and 2nd last day",
		"FREQ=YEARLY;BYMONTH=11;BYDAY=4TH":                 "yearly on the 4th Thu in Nov",
		"FREQ=YEARLY":                                      "yearly",
		"FREQ=YEARLY;INTERVAL=4;BYMONTH=2,3;BYMONTHDAY=29": "every 4 years on the 29th in Feb and Mar",
		"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1":    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
		"FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13":              "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR",
		"FREQ=YEARLY;BYDAY=20MO":                           "FREQ=YEARLY;BYDAY=20MO",
		"FREQ=DAILY;BYDAY=MO,WE":                           "daily on every Mon and Wed",
	} {
		if got := parse(t, start(t, "20260106T150000", "Europe/Amsterdam"), "RRULE:"+rule).Words(); got != want {
			t.Errorf("%s: got %q, want %q", rule, got, want)
		}
	}
	begun := start(t, "20260106", "Europe/Amsterdam")
	for want, lines := range map[string][]string{
		"weekly until 2026-12-31, and on 1 more date, except 2 dates": {"RRULE:FREQ=WEEKLY;UNTIL=20261231", "RDATE;VALUE=DATE:20260107", "EXDATE;VALUE=DATE:20260113,20260120"},
		"on 2 more dates":                {"RDATE;VALUE=DATE:20260107,20260109"},
		"weekly; monthly":                {"RRULE:FREQ=WEEKLY", "RRULE:FREQ=MONTHLY"},
		"daily, with exceptions by rule": {"RRULE:FREQ=DAILY", "EXRULE:FREQ=WEEKLY"},
	} {
		if got := parse(t, begun, lines...).Words(); got != want {
			t.Errorf("%q: got %q, want %q", lines, got, want)
		}
	}
}
