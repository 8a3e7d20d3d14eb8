package series

import (
	"strings"
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
)

func amsterdam(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// hourAt returns a span of one hour that begins at a wall-clock time in Amsterdam.
func hourAt(t *testing.T, wall string) eventtime.Span {
	t.Helper()
	start, err := time.ParseInLocation("2006-01-02T15:04", wall, amsterdam(t))
	if err != nil {
		t.Fatal(err)
	}
	return eventtime.Span{Start: start, End: start.Add(time.Hour), Zone: start.Location()}
}

func eventTime(at time.Time) *calendarapi.EventDateTime {
	return &calendarapi.EventDateTime{DateTime: at.Format(time.RFC3339), TimeZone: "Europe/Amsterdam"}
}

// instanceAt returns an instance whose original start is a wall-clock time in Amsterdam.
func instanceAt(t *testing.T, wall, status string) *calendarapi.Event {
	return &calendarapi.Event{OriginalStartTime: eventTime(hourAt(t, wall).Start), Status: status}
}

// tuesdaySeries returns a series that starts on Tuesday 24 November 2026 at 09:00.
func tuesdaySeries(t *testing.T, rule ...string) *Target {
	s := hourAt(t, "2026-11-24T09:00")
	return &Target{Zone: s.Zone, Series: &calendarapi.Event{Recurrence: rule, Start: eventTime(s.Start), End: eventTime(s.End)}}
}

func TestReadRuleRefusesStartNotInRule(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		start string
		path  string // "" if the rule is accepted
	}{
		"a rule that gives the start":        {[]string{"RRULE:FREQ=WEEKLY;BYDAY=TU"}, "2026-11-24T09:00", ""},
		"a start on another weekday":         {[]string{"RRULE:FREQ=WEEKLY;BYDAY=TU"}, "2026-11-25T09:00", "start"},
		"a start that is excluded":           {[]string{"RRULE:FREQ=WEEKLY;BYDAY=TU", "EXDATE;TZID=Europe/Amsterdam:20261124T090000"}, "2026-11-24T09:00", "recurrence"},
		"a day that many months do not have": {[]string{"RRULE:FREQ=MONTHLY;BYMONTHDAY=31"}, "2026-11-30T09:00", "start"},
		"a rule without dates":               {[]string{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "2026-11-24T09:00", "recurrence"},
		"words instead of a rule":            {[]string{"every tuesday"}, "2026-11-24T09:00", "recurrence"},
		"an unknown frequency":               {[]string{"RRULE:FREQ=FORTNIGHTLY"}, "2026-11-24T09:00", "recurrence"},
	} {
		var p eventtime.Problems
		set := ReadRule(&p, c.lines, hourAt(t, c.start))
		if (set == nil) != (c.path != "") || c.path != "" && (len(p.Problems) != 1 || p.Problems[0].Path != c.path) {
			t.Errorf("%s: got %v, %+v", name, set, p.Problems)
		}
	}
}

func TestSplitRule(t *testing.T) {
	for name, c := range map[string]struct {
		rule          string
		at            string
		others        []*calendarapi.Event
		before, after string
		first         bool
	}{
		"in the middle":     {"RRULE:FREQ=WEEKLY;COUNT=5", "2026-12-08T09:00", nil, "RRULE:FREQ=WEEKLY;UNTIL=20261208T075959Z", "RRULE:FREQ=WEEKLY;COUNT=3", false},
		"before the second": {"RDATE;TZID=Europe/Amsterdam:20261201T090000", "2026-12-01T09:00", nil, "", "", false},
		"before the second, with an exception for the first": {
			"RDATE;TZID=Europe/Amsterdam:20261201T090000", "2026-12-01T09:00", []*calendarapi.Event{instanceAt(t, "2026-11-24T09:00", "confirmed")}, "RRULE:FREQ=DAILY;COUNT=1", "", false,
		},
		"before the first": {"RRULE:FREQ=WEEKLY;COUNT=5", "2026-11-24T09:00", nil, "", "", true},
	} {
		target := tuesdaySeries(t, c.rule)
		target.Single = instanceAt(t, c.at, "confirmed")
		got, err := target.SplitRule(c.others)
		if err != nil || got.First != c.first {
			t.Errorf("%s: got %+v, %v", name, got, err)
			continue
		}
		if before, after := strings.Join(got.Before, " "), strings.Join(got.After, " "); !c.first && (before != c.before || after != c.after) {
			t.Errorf("%s: got %q and %q, want %q and %q", name, before, after, c.before, c.after)
		}
	}
	target := tuesdaySeries(t, "RRULE:FREQ=WEEKLY;COUNT=5")
	target.Single = instanceAt(t, "2026-12-09T09:00", "confirmed") // a Wednesday
	if got, err := target.SplitRule(nil); err == nil {
		t.Errorf("where the series has no instance: got %+v", got)
	}
}

func TestExcludeCancelled(t *testing.T) {
	lines, err := ExcludeCancelled([]string{"RRULE:FREQ=WEEKLY;COUNT=5"}, hourAt(t, "2026-11-24T09:00"), []*calendarapi.Event{
		instanceAt(t, "2026-12-01T09:00", event.Cancelled), instanceAt(t, "2026-12-08T09:00", "confirmed"), instanceAt(t, "2026-11-17T09:00", event.Cancelled),
	}, amsterdam(t))
	if got := strings.Join(lines, " "); err != nil || strings.Count(got, "EXDATE") != 1 || !strings.Contains(got, "20261201") {
		t.Errorf("got %q, %v", got, err)
	}
}
