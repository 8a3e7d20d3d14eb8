package calendar_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

// listedEvents returns all events in Ann's calendars, as calendar_list_events lists them.
func (d *fixture) listedEvents(t *testing.T) string {
	t.Helper()
	seen := bundletest.Must[struct{ Events []args }](t, d.bundle, "calendar_list_events", args{"from": "2026-10-01", "to": "2027-02-01", "calendars": []string{"primary", "Work"}, "limit": 100})
	if len(seen.Events) == 100 {
		t.Fatal("not all of it is seen")
	}
	return jsonOf(t, seen.Events)
}

// Undoing all changes in reverse order restores the first state. KOTA's own changes are
// no conflict for an undo.
func TestUndoingAllChangesRestoresFirstState(t *testing.T) {
	random := rand.New(rand.NewPCG(20261124, 7))
	pick := func(list ...any) any { return list[random.IntN(len(list))] }
	for round := range 25 {
		d := sixTuesdays(t)
		d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Work"})
		d.ann.AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), args{"description": "As usual"}))
		hers := d.google.User(bob).AddEvent("primary", merge(timedEvent("dance", "Party", "2026-11-26T20:00", "2026-11-26T23:00"), args{"attendees": []args{{"email": ann}}}))
		before := d.listedEvents(t)
		events, did, undos := []any{"lunch", "lunch", "standup"}, []string{}, []string{}
		for range 2 + random.IntN(6) {
			tool := "calendar_update_event"
			var asks args
			event := pick(events...)
			switch random.IntN(7) {
			case 0:
				tool, asks = createTool, args{"title": fmt.Sprint("New ", len(did)), "start": "2026-12-02T10:00", "attendees": pick([]string{}, []string{bob}), "recurrence": pick([]string{}, []string{"FREQ=DAILY;COUNT=3"})}
			case 1:
				tool, asks = "calendar_delete_event", args{"event_id": event}
			case 2:
				tool, asks = moveTool, args{"event_id": event, "calendar": pick("primary", "Work"), "to": pick("primary", "Work")}
			case 3:
				tool, asks = "calendar_respond_event", args{"event_id": hers, "answer": pick("yes", "no", "maybe"), "comment": pick("", "gladly")}
			default:
				asks = args{"event_id": event}
				for range 1 + random.IntN(2) {
					switch random.IntN(6) {
					case 0:
						asks["title"] = fmt.Sprint("Title ", len(did))
					case 1:
						asks["start"] = pick("10:00", "15:30")
					case 2:
						asks["add_attendees"] = bob
					case 3:
						asks["remove_attendees"] = bob
					case 4:
						asks["description"] = pick("", "Other")
					case 5:
						asks["color"] = pick("tomato", "default")
					}
				}
			}
			if event == "standup" && asks["event_id"] == event && tool != moveTool {
				if asks["scope"] = pick("all", "this", "following"); asks["scope"] != "all" {
					asks["instance"] = pick("2026-10-13", "2026-11-03", "2026-11-17")
				}
			}
			got, err := bundletest.Answer[struct {
				Undo  string `json:"undo_id"`
				Event struct {
					ID string `json:"event_id"`
				}
			}](t, d.bundle, tool, asks)
			if err != nil {
				if code := metadata.CodeOf(err); code != metadata.NotFound && code != metadata.ValidationError && code != metadata.Conflict && code != metadata.Refused {
					t.Fatalf("round %d: %s %v: %v", round, tool, asks, err)
				}
				continue
			}
			if tool == createTool {
				events = append(events, got.Event.ID, got.Event.ID)
			}
			if did = append(did, tool+jsonOf(t, asks)); got.Undo != "" {
				undos = append(undos, got.Undo)
			}
		}
		for _, undo := range slices.Backward(undos) {
			if _, err := bundletest.Answer[args](t, d.bundle, "calendar_undo", args{"undo_id": undo}); err != nil {
				t.Fatalf("round %d, after %q: %v", round, did, err)
			}
		}
		if after := d.listedEvents(t); after != before {
			t.Fatalf("round %d, after %q, undone:\n%s\nit was\n%s", round, did, after, before)
		}
	}
}
