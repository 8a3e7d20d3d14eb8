package main

import (
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
)

func TestDoctorReportsHalfSplitSeries(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	day, err := time.Parse(time.DateOnly, someday)
	if err != nil {
		t.Fatal(err)
	}
	made := d.mustCall("calendar_create_event", object{"title": "Standup", "start": someday + " 09:00", "recurrence": "FREQ=WEEKLY;COUNT=4"})
	d.mustCall("calendar_update_event", object{"event_id": made.Event.ID, "scope": "all", "location": "Room 4"})
	if output := d.must("doctor"); !strings.Contains(output, "no change of a series is incomplete") {
		t.Errorf("said\n%s", output)
	}
	change := object{"event_id": made.Event.ID, "instance": day.AddDate(0, 0, 7).Format(time.DateOnly), "scope": "following", "title": "New"}
	withdraw := []func(){
		d.google.Fault(bundletest.GoogleFault{Method: "calendar.events.patch", Status: 500}),
		d.google.Fault(bundletest.GoogleFault{Method: "calendar.events.delete", Status: 500}),
	}
	if _, failure := d.call("calendar_update_event", change); failure == nil || failure.Code != "OUTCOME_UNKNOWN" {
		t.Fatalf("got %+v", failure)
	}
	for _, back := range withdraw {
		back()
	}
	if output, _, status := d.run("doctor"); status != 1 || !strings.Contains(output, `FAIL  series`) || !strings.Contains(output, `change "Standup" from `) || !strings.Contains(output, "repeat the call or undo it") {
		t.Errorf("ends with %d, said\n%s", status, output)
	}
	d.mustCall("calendar_update_event", change)
	if output := d.must("doctor"); !strings.Contains(output, "no change of a series is incomplete") {
		t.Errorf("said\n%s", output)
	}
}
