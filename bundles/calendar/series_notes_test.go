package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

func TestSeriesNotesSkippedDatesAndTimes(t *testing.T) {
	for name, c := range map[string]struct {
		start, zone, rule, note string
	}{
		"at a skipped time":                    {"2027-03-12T02:30", "America/New_York", "FREQ=DAILY;COUNT=4", "on 2027-03-14 clocks skip 02:30: the event is at 03:30 that day"},
		"at a skipped time in the second year": {"2027-03-29T02:15", "Europe/Amsterdam", "FREQ=DAILY", "on 2028-03-26 clocks skip 02:15: the event is at 03:15 that day"},
		"not at a skipped time":                {"2027-03-12T02:30", "America/New_York", "FREQ=DAILY;COUNT=2", ""},
		"of whole days":                        {"2027-03-12", "America/New_York", "FREQ=DAILY;COUNT=4", ""},
		"at two times":                         {"2027-03-12T02:00", "America/New_York", "FREQ=DAILY;BYHOUR=2,5;COUNT=3", ""},
		"on the 31st":                          {"2027-01-31", "", "FREQ=MONTHLY", "it skips months without a 31st"},
		"on the 30th":                          {"2027-01-30T10:00", "", "FREQ=MONTHLY", "it skips months without a 30th"},
		"on the 29th":                          {"2027-01-29T10:00", "", "FREQ=MONTHLY;INTERVAL=1;COUNT=3", "it skips months without a 29th"},
		"on the 31st of long months":           {"2026-12-31T10:00", "", "FREQ=MONTHLY;COUNT=2", ""},
		"on the 28th":                          {"2027-01-28T10:00", "", "FREQ=MONTHLY", ""},
		"on the last day":                      {"2027-01-31", "", "FREQ=MONTHLY;BYMONTHDAY=-1", ""},
		"on 29 February":                       {"2028-02-29", "", "FREQ=YEARLY", "it skips years without 29 February; the next is 2032-02-29"},
		"on 29 February once":                  {"2028-02-29", "", "FREQ=YEARLY;COUNT=1", ""},
		"on the last Sunday of months":         {"2027-01-31", "", "FREQ=MONTHLY;BYDAY=-1SU", ""},
	} {
		d := amsterdamFixture(t)
		a := args{"title": "Watch", "start": c.start, "duration": "1 day", "recurrence": c.rule, "dry_run": true}
		if len(c.start) > len("2006-01-02") {
			a["duration"] = "15m"
		}
		if c.zone != "" {
			a["timezone"] = c.zone
		}
		notes := strings.Join(bundletest.Must[createdEvent](t, d.bundle, createTool, a).Notes, "\n")
		if c.note == "" && (strings.Contains(notes, "leaves out") || strings.Contains(notes, "skip")) || !strings.Contains(notes, c.note) {
			t.Errorf("%s: got %q, want %q", name, notes, c.note)
		}
	}
}
