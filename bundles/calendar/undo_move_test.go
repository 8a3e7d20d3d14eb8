package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// moveLunch returns a fixture where a lunch with Bob was moved to another calendar. to is
// the calendar's id, undo is the undo_id of the move.
func moveLunch(t *testing.T, notify string) (d *fixture, to, undo string) {
	t.Helper()
	d = newFixture(t)
	d.google.User(bob)
	to = d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Work"})
	d.ann.AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), args{"attendees": []args{{"email": bob}}}))
	return d, to, bundletest.Must[changeAnswer](t, d.bundle, "calendar_move_event", args{"event_id": "lunch", "to": to, "notify": notify}).Undo
}

func TestUndoMoveMailsSameGuests(t *testing.T) {
	for notify, mailed := range map[string]int{"none": 0, "all": 2} {
		d, to, undo := moveLunch(t, notify)
		bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": undo})
		if items := outboxItems(t, d); len(items) != 2 || items[0].Kind != "move" || items[0].Status != "sent" || len(d.google.Invitations()) != mailed {
			t.Errorf("%s: the outbox has %+v, mailed %+v", notify, items, d.google.Invitations())
		}
		if len(d.ann.Events(to)) != 0 || len(d.ann.Events("primary")) != 1 {
			t.Errorf("%s: primary has %s", notify, jsonOf(t, d.ann.Events("primary")))
		}
	}
}

func TestUndoMoveOfEventAlreadyBack(t *testing.T) {
	d, to, undo := moveLunch(t, "none")
	bundletest.Must[changeAnswer](t, d.bundle, "calendar_move_event", args{"event_id": "lunch", "calendar": to, "to": "primary"})
	if got := undoNote(t, d, undo); !strings.Contains(got.Note, "already in its old calendar") {
		t.Errorf("got %+v", got)
	}
	d, to, undo = moveLunch(t, "none")
	d.ann.DeleteEvent(to, "lunch")
	if _, err := bundletest.Answer[args](t, d.bundle, "calendar_undo", args{"undo_id": undo}); err == nil || !strings.Contains(err.Error(), "was deleted") {
		t.Errorf("of a deleted one: %v", err)
	}
}
