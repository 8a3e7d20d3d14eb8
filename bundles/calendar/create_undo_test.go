package calendar_test

import (
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/metadata"
)

func TestUndoCreateDeletesEvent(t *testing.T) {
	d := amsterdamFixture(t)
	a := args{"title": "Lunch", "start": "2026-11-24T12:30", "idempotency_key": "k"}
	made := bundletest.Must[createdEvent](t, d.bundle, createTool, a)
	if again := bundletest.Must[createdEvent](t, d.bundle, createTool, a); made.Undo == "" || again.Undo != "" {
		t.Errorf("undo_id is %q, and %q of the repeat", made.Undo, again.Undo)
	}
	if dry := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Tea", "start": "2026-11-25T12:30", "dry_run": true}); dry.Undo != "" {
		t.Errorf("a dry run has %+v", dry)
	}
	if recent := jsonOf(t, bundletest.Must[args](t, d.bundle, "calendar_undo", args{})); !strings.Contains(recent, made.Undo) || !strings.Contains(recent, `create \"Lunch\"`) {
		t.Errorf("listed %s", recent)
	}
	d.undo(t, made.Undo)
	if d.ann.Event("primary", made.Event.ID)["status"] != "cancelled" {
		t.Error("the event is still there")
	}
	line := bundletest.Must[createdEvent](t, d.bundle, quickAddTool, args{"text": "Tea friday 16:00"})
	d.undo(t, line.Undo)
	if d.ann.Event("primary", line.Event.ID)["status"] != "cancelled" {
		t.Error("the event of a line is still there")
	}
}

func TestUndoCreateRefusesWhenChangedSince(t *testing.T) {
	d := amsterdamFixture(t)
	made := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Lunch", "start": "2026-11-24T12:30"})
	d.ann.ChangeEvent("primary", made.Event.ID, args{"summary": "Dinner"})
	_, err := bundletest.Answer[args](t, d.bundle, "calendar_undo", args{"undo_id": made.Undo})
	e := bundletest.AsError(t, err)
	if e.Code != metadata.Conflict || !strings.Contains(jsonOf(t, e.Problems), "Dinner") || d.ann.Event("primary", made.Event.ID)["status"] == "cancelled" {
		t.Errorf("got %+v", e)
	}
	// After a deletion with overwrite, an undo restores the changed event.
	gone := bundletest.Must[struct{ Note string }](t, d.bundle, "calendar_undo", args{"undo_id": made.Undo, "overwrite": true})
	_, undo, _ := strings.Cut(gone.Note, "undo_id ")
	if d.ann.Event("primary", made.Event.ID)["status"] != "cancelled" || undo == "" {
		t.Fatalf("overwritten: %+v", gone)
	}
	d.undo(t, undo)
	if e := d.ann.Event("primary", made.Event.ID); e["status"] == "cancelled" || e["summary"] != "Dinner" {
		t.Errorf("it came back as %v", e)
	}
}

func TestUndoCreateWithGuestsNeedsApproval(t *testing.T) {
	d := amsterdamFixture(t)
	made := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Lunch", "start": "2026-11-24T12:30", "attendees": []string{bob}, "notify": "all"})
	asked, err := askedPeople(t, d, "calendar_undo", args{"undo_id": made.Undo})
	if err == nil || !slices.Equal(asked, []string{bob}) || d.ann.Event("primary", made.Event.ID)["status"] == "cancelled" {
		t.Errorf("asked for %v, %v", asked, err)
	}
	d.undo(t, made.Undo)
	if d.ann.Event("primary", made.Event.ID)["status"] != "cancelled" {
		t.Error("the event is still there")
	}
}
