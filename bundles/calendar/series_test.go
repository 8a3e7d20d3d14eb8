package calendar_test

import (
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
)

// seriesWithExceptions returns a fixture in Amsterdam with a series of six Tuesdays. The
// second is moved, the third cancelled, the fourth renamed and the fifth cancelled.
func seriesWithExceptions(t *testing.T, lines ...string) *fixture {
	t.Helper()
	d := newFixture(t)
	d.ann.SetZone("Europe/Amsterdam")
	if len(lines) == 0 {
		lines = []string{"RRULE:FREQ=WEEKLY;COUNT=6"}
	}
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Standup", "2026-10-13T09:00", "2026-10-13T09:30"), args{"recurrence": lines}))
	d.ann.ChangeEvent("primary", "standup_20261020T070000Z", `{"start": {"dateTime": "2026-10-21T10:00:00+02:00"}, "end": {"dateTime": "2026-10-21T10:30:00+02:00"}}`)
	d.ann.DeleteEvent("primary", "standup_20261027T080000Z")
	d.ann.ChangeEvent("primary", "standup_20261103T080000Z", `{"summary": "Retro"}`)
	d.ann.DeleteEvent("primary", "standup_20261110T080000Z")
	return d
}

// mustShow checks the events that Ann's calendar shows: "2026-10-13 07:00 Standup", in
// UTC.
func (d *fixture) mustShow(t *testing.T, want ...string) {
	t.Helper()
	if got := sortedLines(readOccurrences(t, d.eventsAPI(t, ann))); got != strings.Join(want, "\n") {
		t.Errorf("the calendar shows\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func (d *fixture) changeStandup(t *testing.T, asked args) changeAnswer {
	t.Helper()
	return bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", merge(args{"event_id": "standup"}, asked))
}

func (d *fixture) deleteStandup(t *testing.T, asked args) changeAnswer {
	t.Helper()
	return bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", merge(args{"event_id": "standup"}, asked))
}

func (d *fixture) undo(t *testing.T, id string) args {
	t.Helper()
	return bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": id})
}

// exceptionDates are the dates that the calendar of seriesWithExceptions shows.
var exceptionDates = []string{"2026-10-13 07:00 Standup", "2026-10-21 08:00 Standup", "2026-11-03 08:00 Retro", "2026-11-17 08:00 Standup"}

func TestUpdateThisChangesOneInstance(t *testing.T) {
	d := seriesWithExceptions(t)
	got := d.changeStandup(t, args{"instance": "2026-11-17", "scope": "this", "title": "Review", "start": "2026-11-18 11:00"})
	if got.Status != "updated" || got.changeSummary() != "title Standup > Review; when Tue 2026-11-17 09:00–09:30 +01:00 > Wed 2026-11-18 11:00–11:30 +01:00" {
		t.Errorf("got %+v", got)
	}
	d.mustShow(t, exceptionDates[0], exceptionDates[1], exceptionDates[2], "2026-11-18 10:00 Review")
	d.undo(t, got.Undo)
	d.mustShow(t, exceptionDates...)
}

func TestInstanceIsFoundByCurrentAndOriginalStart(t *testing.T) {
	for _, at := range []string{"2026-10-21", "2026-10-21 10:00", "2026-10-20T09:00:00+02:00", "2026-10-20 09:00"} {
		d := seriesWithExceptions(t)
		d.changeStandup(t, args{"instance": at, "scope": "this", "title": "Review"})
		d.mustShow(t, exceptionDates[0], "2026-10-21 08:00 Review", exceptionDates[2], exceptionDates[3])
	}
	d := seriesWithExceptions(t)
	for _, at := range []string{"2026-10-14", "2026-10-27", "2026-11-17 10:00"} {
		_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "standup", "instance": at, "scope": "this", "title": "Review"})
		if e := bundletest.AsError(t, err); e.Code != metadata.NotFound || e.Hint == "" {
			t.Errorf("%s: %+v", at, e)
		}
	}
}

func TestUpdateFollowingSplitsSeries(t *testing.T) {
	d := seriesWithExceptions(t)
	asked := args{"instance": "2026-11-03", "scope": "following", "start": "2026-11-04 10:00", "location": "Attic"}
	before := jsonOf(t, d.ann.Events("primary"))
	dry := d.changeStandup(t, merge(args{"dry_run": true}, asked))
	if dry.Status != "dry_run" || len(dry.Lost) != 1 || dry.Lost[0].Title != "Retro" || dry.Kept != 1 || jsonOf(t, d.ann.Events("primary")) != before {
		t.Errorf("got %+v", dry)
	}
	got := d.changeStandup(t, asked)
	if got.Status != "updated" || got.Event.ID == "standup" || got.Earlier.ID != "standup" || got.changeSummary() != dry.changeSummary() || !slices.Equal(got.Recurrence, dry.Recurrence) ||
		!slices.Equal(got.EarlierEnd, []string{"RRULE:FREQ=WEEKLY;UNTIL=20261103T075959Z"}) {
		t.Errorf("got %+v", got)
	}
	d.mustShow(t, exceptionDates[0], exceptionDates[1], "2026-11-04 09:00 Standup", "2026-11-18 09:00 Standup") // cancelled instances stay cancelled
	d.undo(t, got.Undo)
	d.mustShow(t, exceptionDates...)
	again := d.changeStandup(t, asked)
	if again.Event.ID == got.Event.ID {
		t.Error("a deleted series is used again")
	}
	d.mustShow(t, exceptionDates[0], exceptionDates[1], "2026-11-04 09:00 Standup", "2026-11-18 09:00 Standup")
}

// Google drops the exceptions of a series that becomes a single event.
func TestUpdateFollowingKeepsEarlierExceptions(t *testing.T) {
	rdates := []string{"RDATE;TZID=Europe/Amsterdam:20261020T090000,20261027T090000"}
	d := newFixture(t)
	d.ann.SetZone("Europe/Amsterdam")
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Standup", "2026-10-13T09:00", "2026-10-13T09:30"), args{"recurrence": rdates}))
	d.ann.ChangeEvent("primary", "standup_20261013T070000Z", `{"summary": "Kickoff"}`)
	got := d.changeStandup(t, args{"instance": "2026-10-20", "scope": "following", "location": "Attic"})
	if !slices.Equal(got.EarlierEnd, []string{"RRULE:FREQ=DAILY;COUNT=1"}) {
		t.Errorf("the first half repeats by %q", got.EarlierEnd)
	}
	d.mustShow(t, "2026-10-13 07:00 Kickoff", "2026-10-20 07:00 Standup", "2026-10-27 08:00 Standup")

	d = newFixture(t) // without exceptions the first half needs no rule
	d.ann.SetZone("Europe/Amsterdam")
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Standup", "2026-10-13T09:00", "2026-10-13T09:30"), args{"recurrence": rdates}))
	d.ann.ChangeEvent("primary", "standup_20261027T080000Z", `{"summary": "Retro"}`)
	if got := d.changeStandup(t, args{"instance": "2026-10-20", "scope": "following", "location": "Attic"}); len(got.EarlierEnd) > 0 {
		t.Errorf("the first half repeats by %q", got.EarlierEnd)
	}
}

func TestFollowingFromFirstIsWholeSeries(t *testing.T) {
	d := seriesWithExceptions(t)
	got := d.changeStandup(t, args{"instance": "2026-10-13", "scope": "following", "title": "Review"})
	if got.Event.ID != "standup" || got.Earlier.ID != "" || len(got.Notes) == 0 {
		t.Errorf("got %+v", got)
	}
	d.mustShow(t, "2026-10-13 07:00 Review", "2026-10-21 08:00 Review", exceptionDates[2], "2026-11-17 08:00 Review")
}

func TestUpdateAllShiftsEveryInstance(t *testing.T) {
	d := seriesWithExceptions(t)
	got := d.changeStandup(t, args{"instance": "2026-11-03", "scope": "all", "start": "2026-11-04 10:00"})
	if got.Event.ID != "standup" || len(got.Lost) != 2 || got.Lost[0].Stood == "" || got.Kept != 0 {
		t.Errorf("got %+v", got)
	}
	d.mustShow(t, "2026-10-14 08:00 Standup", "2026-10-21 08:00 Standup", "2026-11-04 09:00 Standup", "2026-11-18 09:00 Standup")
	d.undo(t, got.Undo)
	d.mustShow(t, exceptionDates...)
}

func TestUpdateAllKeepsExceptions(t *testing.T) {
	d := seriesWithExceptions(t)
	got := d.changeStandup(t, args{"scope": "all", "title": "Review", "duration": "1h"})
	if len(got.Lost) != 0 || got.Kept != 2 {
		t.Errorf("got %+v", got)
	}
	d.mustShow(t, "2026-10-13 07:00 Review", "2026-10-21 08:00 Review", exceptionDates[2], "2026-11-17 08:00 Review")
}

func TestUpdateChangesRule(t *testing.T) {
	d := seriesWithExceptions(t)
	got := d.changeStandup(t, args{"scope": "all", "recurrence": []string{"FREQ=WEEKLY;INTERVAL=3;COUNT=2"}})
	if len(got.Lost) != 1 || got.Kept != 1 {
		t.Errorf("got %+v", got)
	}
	d.mustShow(t, exceptionDates[0], exceptionDates[2])
	d.undo(t, got.Undo)
	d.mustShow(t, exceptionDates...)
	got = d.changeStandup(t, args{"scope": "all", "recurrence": []string{}})
	d.mustShow(t, exceptionDates[0])
	d.undo(t, got.Undo)
	d.mustShow(t, exceptionDates...)
	got = d.changeStandup(t, args{"instance": "2026-11-03", "scope": "following", "recurrence": "FREQ=DAILY;COUNT=2"})
	d.mustShow(t, exceptionDates[0], exceptionDates[1], "2026-11-03 08:00 Standup", "2026-11-04 08:00 Standup")
	d.undo(t, got.Undo)
	d.mustShow(t, exceptionDates...)
}

func TestSeriesBecomesAllDayAndBack(t *testing.T) {
	for _, scope := range []string{"following", "all"} {
		d := seriesWithExceptions(t, "RRULE:FREQ=WEEKLY;UNTIL=20261117T080000Z")
		got := d.changeStandup(t, args{"instance": "2026-11-03", "scope": scope, "start": "2026-11-03"})
		days := []string{"2026-10-13 00:00 Standup", "2026-10-20 00:00 Standup", "2026-11-03 00:00 Standup", "2026-11-17 00:00 Standup"}
		if scope == "following" {
			days[0], days[1] = exceptionDates[0], exceptionDates[1]
		}
		d.mustShow(t, days...)
		back := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": got.Event.ID, "scope": "all", "instance": "2026-11-03", "start": "2026-11-03 10:00", "duration": "30m"})
		d.undo(t, back.Undo)
		d.mustShow(t, days...)
		d.undo(t, got.Undo)
		d.mustShow(t, exceptionDates...)
	}
}

func TestUndoSplitRefusesWhenChangedSince(t *testing.T) {
	for name, touch := range map[string]func(d *fixture, made string){
		"in the title":    func(d *fixture, made string) { d.ann.ChangeEvent("primary", made, `{"summary": "Huddle"}`) },
		"in one instance": func(d *fixture, made string) { d.ann.DeleteEvent("primary", made+"_20261110T080000Z") },
	} {
		d := sixTuesdays(t)
		got := d.changeStandup(t, args{"instance": "2026-11-03", "scope": "following", "title": "New"})
		touch(d, got.Event.ID)
		before := jsonOf(t, d.ann.Events("primary"))
		_, err := bundletest.Answer[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
		if e := bundletest.AsError(t, err); e.Code != metadata.Conflict || len(e.Problems) != 1 || !strings.Contains(e.Problems[0].Got, got.Event.ID) {
			t.Errorf("%s: %+v", name, e)
		}
		if now := jsonOf(t, d.ann.Events("primary")); now != before {
			t.Errorf("%s: left %s", name, now)
		}
	}
}

func TestUpdateMakesSeriesOfSingleEvent(t *testing.T) {
	d := oneLunch(t, nil)
	got := d.updateLunch(t, args{"recurrence": "RRULE:FREQ=DAILY;COUNT=3"})
	d.mustShow(t, "2026-11-24 11:00 Lunch", "2026-11-25 11:00 Lunch", "2026-11-26 11:00 Lunch")
	d.undo(t, got.Undo)
	d.mustShow(t, "2026-11-24 11:00 Lunch")
}

func TestDeleteSeriesByScope(t *testing.T) {
	for _, c := range []struct {
		asked  args
		status string
		lost   int
		left   []string
	}{
		{args{"instance": "2026-11-17", "scope": "this"}, "deleted", 0, exceptionDates[:3]},
		{args{"instance": "2026-11-03", "scope": "following"}, "ended", 1, exceptionDates[:2]},
		{args{"instance": "2026-10-13", "scope": "following"}, "deleted", 0, nil},
		{args{"instance": "2026-11-17", "scope": "all"}, "deleted", 0, nil},
		{args{"scope": "all"}, "deleted", 0, nil},
	} {
		d := seriesWithExceptions(t)
		before := jsonOf(t, d.ann.Events("primary"))
		if dry := d.deleteStandup(t, merge(args{"dry_run": true}, c.asked)); dry.Status != "dry_run" || len(dry.Lost) != c.lost || jsonOf(t, d.ann.Events("primary")) != before {
			t.Errorf("%v: dry run: %+v", c.asked, dry)
		}
		got := d.deleteStandup(t, c.asked)
		if got.Status != c.status || got.Undo == "" || len(got.Lost) != c.lost {
			t.Errorf("%v: got %+v", c.asked, got)
		}
		d.mustShow(t, c.left...)
		d.undo(t, got.Undo)
		d.mustShow(t, exceptionDates...)
	}
}

func TestDeletingTwiceSucceeds(t *testing.T) {
	d := seriesWithExceptions(t)
	one := d.ann.Event("primary", "standup_20261117T080000Z")["id"]
	for range 2 {
		d.deleteStandup(t, args{"event_id": one, "scope": "this"})
	}
	for range 2 {
		d.deleteStandup(t, args{"scope": "all"})
	}
	if got := d.deleteStandup(t, args{"scope": "all"}); !got.Already || got.Undo != "" || d.google.Calls("calendar.events.delete") != 2 {
		t.Errorf("got %+v", got)
	}
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": "nosuchevent"})
	if e := bundletest.AsError(t, err); e.Code != metadata.NotFound || e.Hint == "" {
		t.Errorf("got %+v", e)
	}
	_, err = bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "standup", "scope": "all", "title": "Review"})
	if e := bundletest.AsError(t, err); e.Code != metadata.NotFound || !strings.Contains(e.Hint, "calendar_undo") {
		t.Errorf("got %+v", e)
	}
}

func TestUndoDeleteRecreatesForgottenEvent(t *testing.T) {
	d := oneLunch(t, args{"description": "Bring the figures."})
	got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": "lunch"})
	withdraw := d.google.Fault(fakeapi.Fault{Method: "calendar.events.get", Status: 404, Reason: "notFound"})
	back := bundletest.Must[changeAnswer](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
	withdraw()
	made := d.ann.Event("primary", back.Event.ID)
	if back.Event.ID == "lunch" || made["description"] != "Bring the figures." || made["status"] != "confirmed" {
		t.Errorf("got %+v, made %v", back, made)
	}
	d.mustShow(t, "2026-11-24 11:00 Lunch")
}

func TestUnchangedFollowingDoesNotSplit(t *testing.T) {
	d := seriesWithExceptions(t)
	for _, asked := range []args{{"title": "Standup"}, {"start": "2026-11-03 09:00"}, {"start": "09:00", "duration": "30m"}, {"recurrence": "FREQ=WEEKLY;COUNT=3", "instance": "2026-11-03"}, {"reminders": nil}} {
		got := d.changeStandup(t, merge(args{"instance": "2026-11-03", "scope": "following"}, asked))
		if got.Status != "unchanged" || got.Undo != "" || got.Event.ID != "standup" || len(got.Notes) == 0 || len(got.Lost) > 0 {
			t.Errorf("%v: got %+v", asked, got)
		}
	}
	if n := d.google.Calls("calendar.events.insert") + d.google.Calls("calendar.events.patch"); n > 0 {
		t.Errorf("changed %d times", n)
	}
	d.mustShow(t, exceptionDates...)
}

func TestSplitNotesNewVideoCall(t *testing.T) {
	for _, dry := range []bool{true, false} {
		for _, meet := range []bool{true, false} {
			d := seriesWithExceptions(t)
			d.changeStandup(t, args{"scope": "all", "meet": meet})
			got := d.changeStandup(t, args{"instance": "2026-11-03", "scope": "following", "title": "New", "dry_run": dry})
			if strings.Contains(got.notesText(), "with a new link") != meet {
				t.Errorf("dry run %v, video call %v: said %v", dry, meet, got.Notes)
			}
		}
	}
}
