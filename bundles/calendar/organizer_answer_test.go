package calendar_test

import (
	"testing"

	"kota/bundles/bundletest"
)

// The organizer of an event may decline it, and is then free.
func TestOrganizerAnswerIsTheSameInAllTools(t *testing.T) {
	for answer, want := range map[string]struct{ mine, shows, available string }{
		"accepted":    {"", "busy", "busy"},
		"needsAction": {"", "busy", "busy"},
		"tentative":   {"maybe", "busy", "busy"},
		"declined":    {"no", "free", "free"},
	} {
		t.Run(answer, func(t *testing.T) {
			d := newFixture(t)
			d.ann.AddEvent("primary", merge(timedEvent("retro", "Review", "2026-11-24T15:00", "2026-11-24T16:00"), args{
				"attendees": []args{{"email": ann, "organizer": true, "self": true, "responseStatus": answer}, {"email": bob, "responseStatus": "accepted"}},
			}))
			got := bundletest.Must[shownEvent](t, d.bundle, "calendar_get_event", args{"event_id": "retro"})
			if got.MyAnswer != want.mine || got.ShowAs != want.shows || len(got.Guests) != 1 {
				t.Errorf("get: my_answer %q, show_as %q, guests %+v", got.MyAnswer, got.ShowAs, got.Guests)
			}
			listed := bundletest.Must[struct {
				Events []struct {
					MyAnswer string `json:"my_answer"`
					ShowAs   string `json:"show_as"`
				}
			}](t, d.bundle, "calendar_list_events", args{"from": "2026-11-24", "to": "2026-11-24"})
			shows := map[bool]string{true: "free"}[want.shows == "free"]
			if len(listed.Events) != 1 || listed.Events[0].MyAnswer != want.mine || listed.Events[0].ShowAs != shows {
				t.Errorf("list: %+v", listed.Events)
			}
			if free := bundletest.Must[availabilityAnswer](t, d.bundle, "calendar_check_availability", args{"start": "2026-11-24 15:00"}); free.Answer != want.available {
				t.Errorf("availability: %+v", free)
			}
			booked := bundletest.Must[createdEvent](t, d.bundle, "calendar_create_event", args{"title": "Lunch", "start": "2026-11-24T15:00", "dry_run": true})
			if busy := len(booked.Conflicts) > 0; busy != (want.available == "busy") {
				t.Errorf("conflicts: %+v", booked.Conflicts)
			}
		})
	}
}

// A declined invitation does not block the time.
func TestDeclinedInvitationIsShownAsFree(t *testing.T) {
	d := newFixture(t)
	d.google.User(bob).AddEvent("primary", merge(timedEvent("retro", "Review", "2026-11-24T15:00", "2026-11-24T16:00"), args{
		"attendees": []args{{"email": ann, "responseStatus": "declined"}},
	}))
	got := bundletest.Must[shownEvent](t, d.bundle, "calendar_get_event", args{"event_id": "retro"})
	if got.MyAnswer != "no" || got.ShowAs != "free" {
		t.Errorf("my_answer %q, show_as %q", got.MyAnswer, got.ShowAs)
	}
}
