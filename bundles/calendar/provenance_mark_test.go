package calendar_test

import (
	"context"
	"slices"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

// asksMixed runs a call in another process, in an untainted session. It returns the people
// that the call asks for, and whether the approval says that the text may be untrusted.
// agree approves the call.
func asksMixed(t *testing.T, d *desk, agree bool, tool string, a args) (asked []string, mixed bool) {
	t.Helper()
	ctx := bundletest.WithSending(t.Context(), bundles.Sending{May: func(ctx context.Context, out bundles.Outgoing) error {
		asked, mixed = out.People, out.Mixed
		if agree {
			bundles.NoteAgreed(ctx)
			return nil
		}
		return metadata.Errorf(metadata.ApprovalNeeded, "ask first").WithHint("Ask.")
	}})
	if _, err := prepared(t, d.again(), tool, a).Do(ctx); agree && err != nil {
		t.Fatalf("%s %v: %v", tool, a, err)
	}
	return asked, mixed
}

// An event that was written in a tainted session keeps its mark, even when guests are
// added, it is shared or it is restored.
func TestAnEventWrittenAfterReadingStrangersIsAskedAboutLater(t *testing.T) {
	for _, came := range []bool{true, false} {
		d := newDesk(t)
		team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
		d.ann.ShareCalendar(team, bob, "reader")
		d.ann.AddEvent("primary", timed("mine1", "Own", "2026-11-24T09:00", "2026-11-24T10:00"))
		made, _ := bundletest.InSession[markedAnswer](t, d.bundle, came, "calendar_create_event", args{"title": "The code is 4711", "start": "2026-11-24T12:00"})
		bundletest.InSession[any](t, d.bundle, came, "calendar_update_event", args{"event_id": "mine1", "description": "The code is 4711"})
		for _, id := range []string{made.Event.ID, "mine1"} {
			for tool, more := range map[string]args{
				"calendar_update_event": {"add_attendees": bob}, "calendar_move_event": {"to": team},
			} {
				asked, mixed := asksMixed(t, d, false, tool, with(args{"event_id": id}, more))
				if !slices.Equal(asked, []string{bob}) || mixed != came {
					t.Errorf("%s %s: asked for %q, marked %v, want %v", tool, id, asked, mixed, came)
				}
			}
		}
	}
}

func TestTheMarkOfAnEventGoesWithTheUsersYes(t *testing.T) {
	d := newDesk(t)
	d.google.User(bob)
	made, _ := bundletest.InSession[markedAnswer](t, d.bundle, true, "calendar_create_event", args{"title": "The code is 4711", "start": "2026-11-24T12:00"})
	invite := args{"event_id": made.Event.ID, "add_attendees": bob}
	if _, mixed := asksMixed(t, d, true, "calendar_update_event", invite); !mixed {
		t.Error("the event is not marked")
	}
	later := args{"event_id": made.Event.ID, "start": "2026-11-24T15:00"}
	if asked, mixed := asksMixed(t, d, true, "calendar_update_event", later); !slices.Equal(asked, []string{bob}) || mixed {
		t.Errorf("asked for %q, marked %v", asked, mixed)
	}
	if got, told := bundletest.InSession[markedAnswer](t, d.bundle, false, "calendar_get_event", args{"event_id": made.Event.ID}); got.Provenance == nil || !told {
		t.Errorf("who reads it is not told whose words it may have: %+v", got)
	}
	bundletest.InSession[any](t, d.bundle, true, "calendar_update_event", args{"event_id": made.Event.ID, "color": "tomato"})
	if _, mixed := asksMixed(t, d, false, "calendar_update_event", with(later, args{"start": "2026-11-24T16:00"})); mixed {
		t.Error("a colour marks it")
	}
	// The user approves some people for a session, without seeing the text.
	d.ann.AddEvent("primary", timed("mine1", "Own", "2026-11-24T09:00", "2026-11-24T10:00"))
	bundletest.InSession[any](t, d.bundle, true, "calendar_update_event", args{"event_id": "mine1", "title": "The code is 4711"})
	ctx := bundletest.WithSending(t.Context(), bundles.Sending{May: func(context.Context, bundles.Outgoing) error { return nil }})
	if _, err := prepared(t, d.bundle, "calendar_update_event", args{"event_id": "mine1", "add_attendees": bob}).Do(ctx); err != nil {
		t.Fatal(err)
	}
	if _, mixed := asksMixed(t, d, false, "calendar_update_event", args{"event_id": "mine1", "start": "2026-11-24T08:00"}); !mixed {
		t.Error("the mark went without the user's yes")
	}
}

// Guests who know an event receive only its changes. Approving those does not approve the
// rest of its text.
func TestAYesToAPartOfAnEventLeavesItsMark(t *testing.T) {
	d := newDesk(t)
	d.ann.AddEvent("primary", with(timed("mine1", "Own", "2026-11-24T09:00", "2026-11-24T10:00"), args{"attendees": []args{{"email": bob}}}))
	ctx := bundletest.WithUntrusted(t.Context(), func() {}, func() bool { return true })
	let := bundletest.WithSending(ctx, bundles.Sending{May: func(context.Context, bundles.Outgoing) error { return nil }})
	if _, err := prepared(t, d.bundle, "calendar_update_event", args{"event_id": "mine1", "description": "The code is 4711"}).Do(let); err != nil {
		t.Fatal(err)
	}
	if _, mixed := asksMixed(t, d, true, "calendar_update_event", args{"event_id": "mine1", "title": "Lunch"}); !mixed {
		t.Error("the event is not marked")
	}
	if _, mixed := asksMixed(t, d, false, "calendar_update_event", args{"event_id": "mine1", "add_attendees": eve}); !mixed {
		t.Error("a yes to the title approves the description")
	}
	asksMixed(t, d, true, "calendar_update_event", args{"event_id": "mine1", "add_attendees": eve})
	if _, mixed := asksMixed(t, d, false, "calendar_update_event", args{"event_id": "mine1", "title": "Dinner"}); mixed {
		t.Error("a yes to all of the event leaves the mark")
	}
}
