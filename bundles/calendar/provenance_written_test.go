package calendar_test

import (
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

type markedRow struct {
	ID         string `json:"event_id"`
	Title      string
	Provenance *struct{ Source, Trust string }
}

type markedAnswer struct {
	Event  markedRow
	Undo   string `json:"undo_id"`
	Undone string
	Events []markedRow
	Recent []markedRow

	Provenance *struct{ Source, Trust string }
}

// An event that was written in a tainted session may contain untrusted content. Later
// sessions see a mark of that, but guests do not.
func TestEventWrittenInTaintedSessionIsMarked(t *testing.T) {
	for _, c := range []struct {
		name           string
		sessionTainted bool // the session was tainted before it made the event
		change         args // a change in a tainted session; nil for none
		tainted        bool
	}{
		{"made before", false, nil, false},
		{"made after", true, nil, true},
		{"given another title after", false, args{"title": "Bcc eve now"}, true},
		{"moved after", false, args{"start": "2026-11-24T15:00"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newFixture(t)
			made, marked := bundletest.InSession[markedAnswer](t, d.bundle, c.sessionTainted, "calendar_create_event", args{"title": "Bcc eve", "start": "2026-11-24T12:00", "duration": "1h", "idempotency_key": "k"})
			if marked || made.Event.Provenance != nil {
				t.Errorf("the answer marks text that the call itself gave: %+v", made)
			}
			changed := markedAnswer{}
			if c.change != nil {
				c.change["event_id"] = made.Event.ID
				changed, _ = bundletest.InSession[markedAnswer](t, d.bundle, true, "calendar_update_event", c.change)
			}
			mustBeTainted := func(want bool) {
				t.Helper()
				for tool, in := range map[string]args{
					"calendar_list_events": {"from": "2026-11-24", "to": "2026-11-24"}, "calendar_get_event": {"event_id": made.Event.ID},
				} {
					got, marked := bundletest.InSession[markedAnswer](t, d.bundle, false, tool, in)
					provenance := got.Provenance
					if tool == "calendar_list_events" && len(got.Events) == 1 {
						provenance = got.Events[0].Provenance
					}
					if marked != want || (provenance != nil) != want || want && (provenance.Source != "event" || provenance.Trust != "mixed") {
						t.Errorf("%s: got %+v, and marked the session: %v, want %v", tool, got, marked, want)
					}
				}
			}
			mustBeTainted(c.tainted)
			again, _ := bundletest.InSession[markedAnswer](t, d.bundle, !c.sessionTainted, "calendar_create_event", args{"title": "Bcc eve", "start": "2026-11-24T12:00", "duration": "1h", "idempotency_key": "k"})
			if again.Event.ID != made.Event.ID {
				t.Errorf("the same call in another session made %+v", again)
			}
			if c.change["title"] != nil {
				back, _ := bundletest.InSession[markedAnswer](t, d.bundle, false, "calendar_undo", args{"undo_id": changed.Undo})
				if back.Event.Title != "Bcc eve" {
					t.Errorf("the mark keeps a change from being undone: %+v", back)
				}
				mustBeTainted(true) // KOTA does not check which text was there before
			}
		})
	}
}

// Lists of undos quote titles, including untrusted ones.
func TestUndoListShowsProvenance(t *testing.T) {
	d := newFixture(t)
	theirs := d.google.User(bob)
	theirs.AddEvent("primary", merge(timedEvent("gala1", "Obey", "2026-11-24T12:00", "2026-11-24T13:00"), args{"attendees": []args{{"email": ann}}}))
	answered, _ := bundletest.InSession[markedAnswer](t, d.bundle, false, "calendar_update_event", args{"event_id": "gala1", "color": "tomato"})
	got, marked := bundletest.InSession[markedAnswer](t, d.bundle, false, "calendar_undo", args{})
	if len(got.Recent) != 1 || got.Recent[0].Provenance == nil || !marked {
		t.Errorf("got %+v, and marked the session: %v", got, marked)
	}
	if got, marked := bundletest.InSession[markedAnswer](t, d.bundle, false, "calendar_undo", args{"undo_id": answered.Undo}); got.Provenance == nil || got.Undone == "" || !marked {
		t.Errorf("got %+v, and marked the session: %v", got, marked)
	}
}

// A guest's comment is untrusted in any event.
func TestGuestCommentIsUntrusted(t *testing.T) {
	d := newFixture(t)
	for id, guest := range map[string]args{
		"comment1": {"email": bob, "responseStatus": "declined", "comment": "Obey."}, "name1": {"email": bob, "displayName": "Obey"}, "none1": {"email": bob},
	} {
		d.ann.AddEvent("primary", merge(timedEvent(id, "Mine", "2026-11-24T12:00", "2026-11-24T13:00"), args{"attendees": []args{{"email": ann}, guest}}))
	}
	list, _ := bundletest.InSession[markedAnswer](t, d.bundle, false, "calendar_list_events", args{"from": "2026-11-24", "to": "2026-11-24"})
	if len(list.Events) != 3 {
		t.Fatalf("listed are %+v", list)
	}
	for _, row := range list.Events {
		got, marked := bundletest.InSession[markedAnswer](t, d.bundle, false, "calendar_get_event", args{"event_id": row.ID})
		if want := row.ID != "none1"; (row.Provenance != nil) != want || (got.Provenance != nil) != want || marked != want {
			t.Errorf("%s: listed as %+v, got %+v, and marked the session: %v", row.ID, row, got, marked)
		}
	}
}

// The owner of a calendar names it. A name that was given in a tainted session may be
// untrusted, even for one of the user's own calendars.
func TestCalendarNameProvenance(t *testing.T) {
	d := newFixture(t)
	type list struct {
		Calendars []struct {
			Name       string
			Provenance *struct{ Trust, Sender string }
		}
	}
	calendarTrust := func() (trust map[string]string, marked bool) {
		t.Helper()
		got, marked := bundletest.InSession[list](t, d.bundle, false, "calendar_list_calendars", args{})
		trust = map[string]string{}
		for _, one := range got.Calendars {
			if trust[one.Name] = "own"; one.Provenance != nil {
				trust[one.Name] = one.Provenance.Trust + one.Provenance.Sender
			}
		}
		return trust, marked
	}
	bundletest.InSession[any](t, d.bundle, false, "calendar_manage_calendar", args{"operation": "create", "name": "Own"})
	if got, marked := calendarTrust(); marked || got["Own"] != "own" {
		t.Errorf("the user's are %v, and the session was marked: %v", got, marked)
	}
	bundletest.InSession[any](t, d.bundle, true, "calendar_manage_calendar", args{"operation": "create", "name": "Bcc eve"})
	bobs := d.google.User(bob)
	team := bobs.AddCalendar(fakecalendar.Calendar{Summary: "Obey"})
	bobs.ShareCalendar(team, ann, "reader")
	if got, marked := calendarTrust(); !marked || got["Own"] != "own" || got["Bcc eve"] != "mixed" || got["Obey"] != "stranger"+bob {
		t.Errorf("they are %v, and the session was marked: %v", got, marked)
	}
	_, marked, err := bundletest.TryInSession[any](t, d.bundle, false, "calendar_list_events", args{"calendars": []string{"Obbey"}})
	if err == nil || !marked {
		t.Errorf("got %v, and the session was marked: %v", err, marked)
	}
	bundletest.InSession[any](t, d.bundle, false, "calendar_manage_calendar", args{"operation": "update", "calendar": team, "name": "Bob's"})
	if got, _ := calendarTrust(); got["Bob's"] != "own" {
		t.Errorf("what the user calls another's calendar is %v", got)
	}
}
