package main

import (
	"encoding/json"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// eventTimes returns the times of the events of that day, by title.
func (d *testHome) eventTimes(day string) map[string]string {
	d.t.Helper()
	var list struct {
		Events []struct{ Title, When string }
	}
	if err := json.Unmarshal([]byte(d.must("call", "calendar_list_events", "from="+day, "to="+day)), &list); err != nil {
		d.t.Fatal(err)
	}
	found := map[string]string{}
	for _, e := range list.Events {
		found[e.Title] = e.When
	}
	return found
}

// checkTime checks that an event begins at that time of someday; "" means that it is
// absent.
func (d *testHome) checkTime(title, clock string) {
	d.t.Helper()
	when := d.eventTimes(someday)[title]
	if clock == "" && when != "" || !strings.Contains(when, clock) {
		d.t.Errorf("%s is at %q, want %q", title, when, clock)
	}
}

func TestCalendarWorksFromCommandLine(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	read := func(stdout string) callAnswer {
		t.Helper()
		answer := callAnswer{raw: stdout}
		if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
			t.Fatal(err)
		}
		return answer
	}
	made := read(d.must("call", "calendar_create_event", "title=Dentist", "start="+someday+" 10:00", "duration=45m", `reminders:=["1h", "1d email"]`))
	d.checkTime("Dentist", "10:00–10:45")
	slots := d.must("call", "calendar_find_slots", "from="+someday, "to="+someday, "duration=30m", "days:=[\"mon\",\"tue\",\"wed\",\"thu\",\"fri\",\"sat\",\"sun\"]")
	if !strings.Contains(slots, "10:45–11:15") || strings.Contains(slots, "10:00–10:30") {
		t.Errorf("free times beside the dentist's: %s", slots)
	}
	moved := read(d.must("call", "calendar_update_event", "event_id="+made.Event.ID, "start="+someday+" 16:30"))
	d.checkTime("Dentist", "16:30–17:15")
	d.must("call", "calendar_undo", "undo_id="+moved.Undo)
	d.checkTime("Dentist", "10:00–10:45")
	deleted := read(d.must("call", "calendar_delete_event", "event_id="+made.Event.ID))
	d.checkTime("Dentist", "")
	d.must("call", "calendar_undo", "undo_id="+deleted.Undo)
	d.checkTime("Dentist", "10:00–10:45")
	if busy := d.must("call", "calendar_check_availability", "start="+someday+" 10:30"); !strings.Contains(busy, `"answer":"busy"`) && !strings.Contains(busy, `"answer": "busy"`) {
		t.Errorf("at the dentist's the user is %s", busy)
	}
}

func TestCalendarErrorsGoToStderr(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"calendar_get_event", "event_id=nosuch"}, 1, `"NOT_FOUND"`},
		{[]string{"calendar_list_events", "from=2026-02-30"}, 1, `"VALIDATION_ERROR"`},
		{[]string{"calendar_list_events", "timezone=Mars/Phobos"}, 1, `"VALIDATION_ERROR"`},
		{[]string{"calendar_create_event", "title=Night", "start=2027-03-28T02:30"}, 1, `2027-03-28T03:00:00+02:00`},
		{[]string{"calendar_create_event", "titel=Night"}, 1, `title`},
		{[]string{"calendar_evnts"}, 1, `"TOOL_NOT_FOUND"`},
		{[]string{}, 2, "needs the name of a tool"},
		{[]string{"calendar_list_events", "tomorrow"}, 2, "neither key=value nor key:=json"},
		{[]string{"calendar_list_events", "from=today", "from=tomorrow"}, 2, "given twice"},
		{[]string{"calendar_list_events", "calendars:=[all]"}, 2, "not JSON"},
	} {
		stdout, stderr, status := d.run(append([]string{"call"}, c.args...)...)
		if status != c.status || stdout != "" || !strings.Contains(stderr, c.says) || json.Valid([]byte(stderr)) != (status == 1) {
			t.Errorf("%q: status %d, stdout %q, stderr %s", c.args, status, stdout, stderr)
		}
	}
	for status, want := range map[int]string{404: "NOT_FOUND", 500: "UNAVAILABLE", 403: "REFUSED"} {
		withdraw := d.google.Fault(bundletest.GoogleFault{Method: "calendar.events.insert", Status: status})
		_, failure := d.call("calendar_create_event", object{"title": "x", "start": someday})
		withdraw()
		if failure == nil || failure.Code != want && failure.Code != "OUTCOME_UNKNOWN" || failure.Hint == "" {
			t.Errorf("Google answers %d: %+v", status, failure)
		}
	}
	if events := d.google.User(ann).Events("primary"); len(events) != 0 {
		t.Errorf("made %v", events)
	}
}
