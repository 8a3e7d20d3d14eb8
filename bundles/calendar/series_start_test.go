package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/metadata"
)

// notesText returns the notes of an answer, joined by line breaks.
func (c changeAnswer) notesText() string { return strings.Join(c.Notes, "\n") }

func TestNewStartDateChoosesInstance(t *testing.T) {
	d := newFixture(t)
	d.ann.SetZone("Europe/Amsterdam")
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Standup", "2026-09-01T10:00", "2026-09-01T10:30"), args{"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=14"}}))
	for range 2 {
		got := d.changeStandup(t, args{"scope": "all", "start": "2026-11-24T11:00"})
		if e := d.ann.Event("primary", "standup"); !strings.HasPrefix(e["start"].(map[string]any)["dateTime"].(string), "2026-09-01T11:00") {
			t.Fatalf("starts at %v: %+v", e["start"], got)
		}
		if got.Status == "updated" && !strings.Contains(got.notesText(), "14 dates move 1h later, 12 of them past: the first is then Tue 2026-09-01 11:00") {
			t.Errorf("got %+v", got.Notes)
		}
	}
	for _, asked := range []args{{"start": "2026-11-25 11:00"}, {"start": "2026-11-25"}, {"end": "2026-12-15 11:00"}} {
		_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", merge(args{"event_id": "standup", "scope": "all"}, asked))
		if e := bundletest.AsError(t, err); bundletest.ProblemPath(t, err) != "instance" || !strings.Contains(e.Hint, "2026-09-01") {
			t.Errorf("%v: got %+v", asked, e)
		}
	}
	if got := d.changeStandup(t, args{"scope": "all", "end": "2026-09-02 01:00"}); got.Status != "updated" || strings.Contains(got.notesText(), "move") {
		t.Errorf("got %+v", got)
	}
}

func TestTimeOfDayKeepsDateOfEvent(t *testing.T) {
	d := oneLunch(t, nil)
	if got := d.updateLunch(t, args{"start": "3pm"}); got.Event.When != "Tue 2026-11-24 15:00–16:00 +01:00" {
		t.Errorf("got %+v", got.Event)
	}
	if got := d.updateLunch(t, args{"start": "at noon", "end": "12:45"}); got.Event.When != "Tue 2026-11-24 12:00–12:45 +01:00" {
		t.Errorf("got %+v", got.Event)
	}
	if _, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "start": "25:00"}); bundletest.ProblemPath(t, err) != "start" {
		t.Errorf("got %v", err)
	}
	for scope, want := range map[string][]string{
		"this":      {exceptionDates[0], exceptionDates[1], exceptionDates[2], "2026-11-17 09:00 Standup"},
		"following": {exceptionDates[0], exceptionDates[1], exceptionDates[2], "2026-11-17 09:00 Standup"},
		"all":       {"2026-10-13 08:00 Standup", "2026-10-20 08:00 Standup", "2026-11-03 09:00 Standup", "2026-11-17 09:00 Standup"},
	} {
		d := seriesWithExceptions(t)
		d.changeStandup(t, args{"instance": "2026-11-17", "scope": scope, "start": "10:00"})
		if scope != "all" {
			d.mustShow(t, want...)
		}
	}
	d = seriesWithExceptions(t)
	d.changeStandup(t, args{"scope": "all", "start": "10:00", "end": "11:00"})
	if e := d.ann.Event("primary", "standup"); e["end"].(map[string]any)["dateTime"] != "2026-10-13T11:00:00+02:00" {
		t.Errorf("ends at %v", e["end"])
	}
	gap := newFixture(t)
	gap.ann.SetZone("Europe/Amsterdam")
	gap.ann.AddEvent("primary", timedEvent("lunch", "Lunch", "2027-03-28T12:00", "2027-03-28T13:00"))
	_, err := bundletest.Answer[changeAnswer](t, gap.bundle, "calendar_update_event", args{"event_id": "lunch", "start": "02:30"})
	if e := bundletest.AsError(t, err); e.Code != metadata.ValidationError || !strings.Contains(e.Problems[0].Suggestion, "2027-03-28T03:00") {
		t.Errorf("got %+v", e)
	}
}

func TestUpdateNotesChangedDates(t *testing.T) {
	twice := args{"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO,TH"}}
	for _, c := range []struct {
		asked args
		want  string
	}{
		{args{"instance": "2026-11-23", "scope": "following", "start": "2026-11-30 09:00"},
			"all dates move 7 days later: the first is then Mon 2026-11-30 09:00–09:30 +01:00; the series no longer has an event on Mon 2026-11-23, Thu 2026-11-26"},
		{args{"instance": "2026-11-23", "scope": "all", "start": "2026-11-23"}, "all dates move, 14 of them past: the first is then Mon 2026-10-05, all day"},
		{args{"instance": "2026-11-23", "scope": "following", "recurrence": "FREQ=WEEKLY;BYDAY=MO;COUNT=3", "on_conflict": "ignore"},
			"dates are removed (Thu 2026-11-26, Thu 2026-12-03, Thu 2026-12-10 and"},
		{args{"scope": "all", "recurrence": "FREQ=WEEKLY;BYDAY=MO,TH,FR"}, "dates are added, 7 of them past (Fri 2026-10-09, Fri 2026-10-16, Fri 2026-10-23 and"},
		{args{"scope": "all", "start": "10:00", "recurrence": "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=20"}, "20 dates get another time of day"},
		{args{"scope": "all", "start": "09:00", "timezone": "America/New_York"}, "all dates move 6h later, and the time zone becomes America/New_York, 14 of them past"},
		{args{"scope": "all", "recurrence": []string{}}, "dates are removed, 13 of them past"},
	} {
		d := newFixture(t)
		d.ann.SetZone("Europe/Amsterdam")
		d.ann.AddEvent("primary", merge(timedEvent("standup", "Standup", "2026-10-05T09:00", "2026-10-05T09:30"), twice))
		for _, dry := range []bool{true, false} {
			if got := d.changeStandup(t, merge(args{"dry_run": dry}, c.asked)); !strings.Contains(got.notesText(), c.want) {
				t.Errorf("%v: said\n%s", c.asked, got.notesText())
			}
		}
	}
	d := seriesWithExceptions(t)
	if got := d.changeStandup(t, args{"scope": "all", "title": "Review", "duration": "1h"}); strings.Contains(got.notesText(), "date") {
		t.Errorf("said %v", got.Notes)
	}
}
