package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

func TestShiftedSeriesResetsExceptions(t *testing.T) {
	d := newFixture(t)
	d.ann.SetZone("Europe/Amsterdam")
	d.ann.AddEvent("primary", args{"id": "standup", "summary": "Walk", "start": args{"date": "2026-11-20"}, "end": args{"date": "2026-11-21"}, "recurrence": []string{"RRULE:FREQ=DAILY;COUNT=6"}})
	d.ann.ChangeEvent("primary", "standup_20261122", `{"summary": "Climb"}`)
	d.ann.DeleteEvent("primary", "standup_20261124")
	before := []string{"2026-11-20 00:00 Walk", "2026-11-21 00:00 Walk", "2026-11-22 00:00 Climb", "2026-11-23 00:00 Walk", "2026-11-25 00:00 Walk"}
	d.mustShow(t, before...)
	asked := args{"scope": "all", "instance": "2026-11-20", "start": "2026-11-21"}
	if dry := d.changeStandup(t, merge(args{"dry_run": true}, asked)); len(dry.Lost) != 1 || dry.Kept != 0 {
		t.Errorf("got %+v", dry)
	}
	got := d.changeStandup(t, merge(args{"dry_run": false}, asked))
	if len(got.Lost) != 1 || got.Lost[0].Title != "Climb" || got.Kept != 0 {
		t.Errorf("got %+v", got)
	}
	d.mustShow(t, "2026-11-21 00:00 Walk", "2026-11-22 00:00 Walk", "2026-11-23 00:00 Walk", "2026-11-24 00:00 Walk", "2026-11-26 00:00 Walk")
	if got := d.changeStandup(t, args{"scope": "this", "instance": "2026-11-22", "title": "Swim", "dry_run": true}); got.Event.ID != "standup_20261122" {
		t.Errorf("got %+v", got)
	}
	d.undo(t, got.Undo)
	d.mustShow(t, before...)
}

func TestUndoFollowsMovedEvent(t *testing.T) {
	d := oneLunch(t, nil)
	team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	moved := bundletest.Must[changeAnswer](t, d.bundle, "calendar_move_event", args{"event_id": "lunch", "to": team})
	renamed := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "calendar": team, "title": "Dinner"})
	d.undo(t, moved.Undo)
	d.undo(t, renamed.Undo)
	d.mustShow(t, "2026-11-24 11:00 Lunch")
}

func TestUndoKeepsOthersEventWithSameID(t *testing.T) {
	d := invitedByBob(t, nil)
	team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	d.ann.AddEvent(team, timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"))
	theirs := d.ann.Event("primary", "lunch")["summary"]
	renamed := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "calendar": team, "title": "Dinner"})
	d.ann.DeleteEvent(team, "lunch")
	got, err := bundletest.Answer[args](t, d.bundle, "calendar_undo", args{"undo_id": renamed.Undo, "overwrite": true})
	if err == nil || !strings.Contains(err.Error(), "was deleted") || d.ann.Event("primary", "lunch")["summary"] != theirs {
		t.Errorf("got %v, %v, and Bob's is called %q", got, err, d.ann.Event("primary", "lunch")["summary"])
	}
}
