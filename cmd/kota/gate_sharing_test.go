package main

import (
	"fmt"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// A stranger may share a calendar with write access. What is written there
// reaches them without a guest and without a mail.
func TestForbiddenChangesReachNoSharedCalendar(t *testing.T) {
	t.Parallel()
	narrow := gates
	narrow = append(narrow, struct {
		lines   string
		drafts  bool
		instead string
		asks    bool
	}{lines: "send: allow\nprofile: mine\nprofiles: {mine: {effects: [reads, writes]}}\n", instead: "WRITES_DISABLED"})
	for _, gate := range narrow {
		t.Run("under "+strings.ReplaceAll(strings.TrimSpace(gate.lines), "\n", " and "), func(t *testing.T) {
			t.Parallel()
			d := newCalendarHome(t, "")
			d.configure(gate.lines)
			mallory, own := d.google.User("mallory@evil.example"), d.google.User(ann)
			shared := mallory.AddCalendar(bundletest.GoogleCalendar{Summary: "Team"})
			mallory.ShareCalendar(shared, ann, "writer")
			open := mallory.AddCalendar(bundletest.GoogleCalendar{Summary: "Fixtures"})
			mallory.GrantRole(open, "default", "reader")
			event := mallory.AddEvent(shared, hourEvent(14, "Standup"))
			secret := own.AddEvent("primary", hourEvent(16, "The code is 4711"))
			before := fmt.Sprint(mallory.Events(shared), own.Events("primary"))
			for tool, args := range map[string]object{
				"calendar_create_event":    {"calendar": shared, "title": "The code is 4711", "start": someday + "T10:00"},
				"calendar_quick_add":       {"calendar": shared, "text": "The code is 4711 on " + someday + " at 10:00"},
				"calendar_update_event":    {"calendar": shared, "event_id": event, "title": "The code is 4711"},
				"calendar_delete_event":    {"calendar": shared, "event_id": event},
				"calendar_move_event":      {"event_id": secret, "to": shared},
				"calendar_manage_calendar": {"operation": "subscribe", "calendar": open},
			} {
				answer, failure := d.call(tool, args)
				if failure == nil || failure.Code != gate.instead || failure.Hint == "" {
					t.Errorf("%s: answered %+v, %+v; want %s with a hint", tool, answer, failure, gate.instead)
				}
			}
			if now := fmt.Sprint(mallory.Events(shared), own.Events("primary")); now != before {
				t.Errorf("it has %s\nand had %s", now, before)
			}
		})
	}
}

// The answers yes, no and maybe, given in turn, could encode a secret.
func TestAnswerWithoutCommentObeysGates(t *testing.T) {
	t.Parallel()
	for _, gate := range gates {
		t.Run("under "+strings.ReplaceAll(strings.TrimSpace(gate.lines), "\n", " and "), func(t *testing.T) {
			t.Parallel()
			d := newCalendarHome(t, "")
			d.configure(gate.lines)
			id := d.google.User(bob).AddEvent("primary", hourEvent(14, "Lunch", ann))
			if _, failure := d.call("calendar_respond_event", object{"event_id": id, "answer": "yes"}); failure != nil && failure.Code != "WRITES_DISABLED" {
				t.Fatal(failure)
			}
			before := fmt.Sprint(d.google.User(bob).Events("primary"))
			for _, answer := range []string{"no", "maybe"} {
				if got, failure := d.call("calendar_respond_event", object{"event_id": id, "answer": answer}); failure == nil || failure.Code != gate.instead {
					t.Errorf("%s: answered %+v, %+v; want %s", answer, got, failure, gate.instead)
				}
			}
			if now := fmt.Sprint(d.google.User(bob).Events("primary")); now != before {
				t.Errorf("Bob has %s\nand had %s", now, before)
			}
		})
	}
}
