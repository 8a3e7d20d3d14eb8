package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/metadata"
)

func TestErrorExplainsArgumentOnce(t *testing.T) {
	d := amsterdamFixture(t)
	for _, c := range []struct {
		tool string
		args args
		path string
	}{
		{createTool, args{"title": "a", "start": "the day after never"}, "start"},
		{createTool, args{"title": "a", "start": "2026-03-29T02:30"}, "start"},
		{createTool, args{"title": "a", "start": "2026-11-24T10:00", "timezone": "Europe/Amsterdm"}, "timezone"},
		{createTool, args{"title": "a", "start": "2026-11-24T10:00", "duration": "a while"}, "duration"},
		{createTool, args{"title": "a", "start": "2026-11-24T10:00", "recurrence": "FREQ=SOMETIMES"}, "recurrence"},
		{"calendar_find_slots", args{"duration": "a while"}, "duration"},
		{"calendar_list_events", args{"from": "the day after never"}, "from"},
	} {
		_, err := bundletest.Answer[args](t, d.bundle, c.tool, c.args)
		e := bundletest.AsError(t, err)
		if e.Code != metadata.ValidationError || len(e.Problems) != 1 || e.Problems[0].Path != c.path {
			t.Errorf("%v: got %+v", c.args, e)
			continue
		}
		_, why, said := strings.Cut(e.Message, e.Problems[0].Expected+": ")
		if !said || len(why) < 20 || len(e.Problems[0].Expected) > 40 || strings.Contains(e.Problems[0].Expected, why) {
			t.Errorf("%v: %q, expected %q", c.args, e.Message, e.Problems[0].Expected)
		}
	}
}

func TestErrorNamesArgumentAsCallDoes(t *testing.T) {
	d := amsterdamFixture(t)
	d.ann.AddEvent("primary", timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"))
	for _, c := range []struct {
		tool string
		args args
		path string
	}{
		{"calendar_check_availability", args{"start": "2026-11-24", "calendars": []string{"Nosuch"}}, "calendars[0]"},
		{"calendar_find_slots", args{"calendars": []string{"primary", "Nosuch"}}, "calendars[1]"},
		{moveTool, args{"event_id": "lunch", "to": "Nosuch"}, "to"},
		{"calendar_quick_add", args{"text": "Lunch 2026-03-29 02:30"}, "text"},
	} {
		_, err := bundletest.Answer[args](t, d.bundle, c.tool, c.args)
		if e := bundletest.AsError(t, err); bundletest.ProblemPath(t, err) != c.path || !strings.HasPrefix(e.Message, c.path+" must be ") {
			t.Errorf("%s: %q about %+v", c.tool, e.Message, e.Problems)
		}
	}
}

func TestErrorQuotesEndAsGiven(t *testing.T) {
	d := amsterdamFixture(t)
	for _, c := range []struct {
		tool           string
		args           args
		expected, gave string
	}{
		{createTool, args{"title": "a", "start": "2026-11-25", "end": "2026-11-24"}, "Wed 2026-11-25", `"2026-11-24"`},
		{"calendar_check_availability", args{"start": "2026-11-22 10:00", "end": "09:00"}, "Sun 2026-11-22 10:00 +01:00", `"09:00"`},
		{createTool, args{"title": "a", "start": "2026-11-22 10:00", "end": "09:00"}, "Sun 2026-11-22 10:00 +01:00", `"09:00"`},
	} {
		_, err := bundletest.Answer[args](t, d.bundle, c.tool, c.args)
		e := bundletest.AsError(t, err)
		if len(e.Problems) != 1 || !strings.Contains(e.Problems[0].Expected, c.expected) || strings.Contains(e.Problems[0].Expected, "–") || e.Problems[0].Got != c.gave {
			t.Errorf("%s %v: got %+v", c.tool, c.args, e.Problems)
		}
	}
}
