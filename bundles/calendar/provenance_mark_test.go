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

// askedAndTainted runs a call in another process, in an untainted session. It returns the
// people in the request for approval, and whether that request says that the text may be
// untrusted. approve approves the call.
func askedAndTainted(t *testing.T, d *fixture, approve bool, tool string, a args) (asked []string, tainted bool) {
	t.Helper()
	ctx := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{Confirm: func(ctx context.Context, out bundles.Outgoing) error {
		asked, tainted = out.People, out.Tainted
		if approve {
			bundles.MarkUserApproved(ctx)
			return nil
		}
		return metadata.Errorf(metadata.ApprovalNeeded, "ask first").WithHint("Ask.")
	}})
	if _, err := prepareTool(t, d.anotherProcess(), tool, a).Do(ctx); approve && err != nil {
		t.Fatalf("%s %v: %v", tool, a, err)
	}
	return asked, tainted
}

// An event that was written in a tainted session keeps its mark, even when guests are
// added, it is shared or it is restored.
func TestTaintedEventNeedsApprovalLater(t *testing.T) {
	for _, tainted := range []bool{true, false} {
		d := newFixture(t)
		team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
		d.ann.ShareCalendar(team, bob, "reader")
		d.ann.AddEvent("primary", timedEvent("mine1", "Own", "2026-11-24T09:00", "2026-11-24T10:00"))
		made, _ := bundletest.InSession[markedAnswer](t, d.bundle, tainted, "calendar_create_event", args{"title": "The code is 4711", "start": "2026-11-24T12:00"})
		bundletest.InSession[any](t, d.bundle, tainted, "calendar_update_event", args{"event_id": "mine1", "description": "The code is 4711"})
		for _, id := range []string{made.Event.ID, "mine1"} {
			for tool, more := range map[string]args{
				"calendar_update_event": {"add_attendees": bob}, "calendar_move_event": {"to": team},
			} {
				asked, gotTainted := askedAndTainted(t, d, false, tool, merge(args{"event_id": id}, more))
				if !slices.Equal(asked, []string{bob}) || gotTainted != tainted {
					t.Errorf("%s %s: asked for %q, marked %v, want %v", tool, id, asked, gotTainted, tainted)
				}
			}
		}
	}
}

func TestApprovalRemovesTaintFromEvent(t *testing.T) {
	d := newFixture(t)
	d.google.User(bob)
	made, _ := bundletest.InSession[markedAnswer](t, d.bundle, true, "calendar_create_event", args{"title": "The code is 4711", "start": "2026-11-24T12:00"})
	invite := args{"event_id": made.Event.ID, "add_attendees": bob}
	if _, tainted := askedAndTainted(t, d, true, "calendar_update_event", invite); !tainted {
		t.Error("the event is not marked")
	}
	later := args{"event_id": made.Event.ID, "start": "2026-11-24T15:00"}
	if asked, tainted := askedAndTainted(t, d, true, "calendar_update_event", later); !slices.Equal(asked, []string{bob}) || tainted {
		t.Errorf("asked for %q, marked %v", asked, tainted)
	}
	if got, marked := bundletest.InSession[markedAnswer](t, d.bundle, false, "calendar_get_event", args{"event_id": made.Event.ID}); got.Provenance == nil || !marked {
		t.Errorf("the event has no provenance, or its reading does not mark the session: %+v", got)
	}
	bundletest.InSession[any](t, d.bundle, true, "calendar_update_event", args{"event_id": made.Event.ID, "color": "tomato"})
	if _, tainted := askedAndTainted(t, d, false, "calendar_update_event", merge(later, args{"start": "2026-11-24T16:00"})); tainted {
		t.Error("a colour marks it")
	}
	// The user approves some people for a session, without seeing the text.
	d.ann.AddEvent("primary", timedEvent("mine1", "Own", "2026-11-24T09:00", "2026-11-24T10:00"))
	bundletest.InSession[any](t, d.bundle, true, "calendar_update_event", args{"event_id": "mine1", "title": "The code is 4711"})
	ctx := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{Confirm: func(context.Context, bundles.Outgoing) error { return nil }})
	if _, err := prepareTool(t, d.bundle, "calendar_update_event", args{"event_id": "mine1", "add_attendees": bob}).Do(ctx); err != nil {
		t.Fatal(err)
	}
	if _, tainted := askedAndTainted(t, d, false, "calendar_update_event", args{"event_id": "mine1", "start": "2026-11-24T08:00"}); !tainted {
		t.Error("the mark was removed without approval")
	}
}

// Guests who know an event receive only its changes. Approving those does not approve the
// rest of its text.
func TestPartialApprovalKeepsTaint(t *testing.T) {
	d := newFixture(t)
	d.ann.AddEvent("primary", merge(timedEvent("mine1", "Own", "2026-11-24T09:00", "2026-11-24T10:00"), args{"attendees": []args{{"email": bob}}}))
	ctx := bundletest.WithUntrusted(t.Context(), func() {}, func() bool { return true })
	allowing := bundletest.WithSendPolicy(ctx, bundles.SendPolicy{Confirm: func(context.Context, bundles.Outgoing) error { return nil }})
	if _, err := prepareTool(t, d.bundle, "calendar_update_event", args{"event_id": "mine1", "description": "The code is 4711"}).Do(allowing); err != nil {
		t.Fatal(err)
	}
	if _, tainted := askedAndTainted(t, d, true, "calendar_update_event", args{"event_id": "mine1", "title": "Lunch"}); !tainted {
		t.Error("the event is not marked")
	}
	if _, tainted := askedAndTainted(t, d, false, "calendar_update_event", args{"event_id": "mine1", "add_attendees": eve}); !tainted {
		t.Error("approving the title approves the description")
	}
	askedAndTainted(t, d, true, "calendar_update_event", args{"event_id": "mine1", "add_attendees": eve})
	if _, tainted := askedAndTainted(t, d, false, "calendar_update_event", args{"event_id": "mine1", "title": "Dinner"}); tainted {
		t.Error("approving the whole event keeps the mark")
	}
}
