package calendar_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// zeroReminders has reminders with zero values, which Google's Go client would leave out.
var zeroReminders = map[string]args{
	"at the start": {"useDefault": false, "overrides": []args{{"method": "popup", "minutes": 0}}},
	"none":         {"useDefault": false, "overrides": []args{}},
	"by mail too":  {"useDefault": false, "overrides": []args{{"method": "email", "minutes": 60}, {"method": "popup", "minutes": 0}}},
}

// remindersOf returns the reminders of an event in Ann's calendar.
func (d *fixture) remindersOf(t *testing.T, id string) string {
	t.Helper()
	e := d.ann.Event("primary", id)
	if e == nil {
		t.Fatalf("there is no event %s: %s", id, jsonOf(t, d.ann.Events("primary")))
	}
	reminders, _ := e["reminders"].(map[string]any)
	if list, _ := reminders["overrides"].([]any); len(list) == 0 {
		delete(reminders, "overrides")
	}
	return jsonOf(t, reminders)
}

// eventWithReminders returns a fixture with an event that has these reminders, and the
// stored reminders.
func eventWithReminders(t *testing.T, e, reminders args) (d *fixture, before string) {
	t.Helper()
	d = newFixture(t)
	d.ann.AddEvent("primary", merge(e, args{"reminders": reminders}))
	return d, d.remindersOf(t, e["id"].(string))
}

// refuseRequests answers the matching requests like Google, with an error of that status
// and reason.
func refuseRequests(status int, reason string, match func(*http.Request) bool) func(http.RoundTripper) http.RoundTripper {
	body := fmt.Sprintf(`{"error": {"code": %d, "message": "No.", "errors": [{"reason": %q}]}}`, status, reason)
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTripFunc(func(r *http.Request) (*http.Response, error) {
			if !match(r) {
				return next.RoundTrip(r)
			}
			return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
		})
	}
}

func TestRemindersSurviveCopiesOfEvent(t *testing.T) {
	lunch := timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00")
	standup := merge(timedEvent("standup", "Standup", "2026-12-01T09:00", "2026-12-01T09:30"), args{"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=6"}})
	for name, reminders := range zeroReminders {
		t.Run(name, func(t *testing.T) {
			t.Run("the second half of a series", func(t *testing.T) {
				d, before := eventWithReminders(t, standup, reminders)
				got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "standup", "scope": "following", "instance": "2026-12-08", "title": "New"})
				if now := d.remindersOf(t, got.Event.ID); now != before {
					t.Errorf("reminds by %s, and did by %s", now, before)
				}
			})
			t.Run("a change and its undoing", func(t *testing.T) {
				d, before := eventWithReminders(t, lunch, reminders)
				got := d.updateLunch(t, args{"reminders": []string{"10m"}})
				bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
				if now := d.remindersOf(t, "lunch"); now != before {
					t.Errorf("reminds by %s, and did by %s", now, before)
				}
			})
			t.Run("a deletion that Google has forgotten", func(t *testing.T) {
				d, before := eventWithReminders(t, lunch, reminders)
				got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": "lunch"})
				d.wrapTransport = refuseRequests(http.StatusNotFound, "notFound", func(r *http.Request) bool {
					return r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/events/lunch")
				})
				d.deps.Client = d.clientsByAccount(t)
				back := bundletest.Must[changeAnswer](t, d.anotherProcess(), "calendar_undo", args{"undo_id": got.Undo})
				if now := d.remindersOf(t, back.Event.ID); now != before {
					t.Errorf("reminds by %s, and did by %s", now, before)
				}
			})
			t.Run("one of a series that its new rule had dropped", func(t *testing.T) {
				d := newFixture(t)
				d.ann.AddEvent("primary", standup)
				one := "standup_20261215T080000Z"
				bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": one, "scope": "this", "title": "Other"})
				d.ann.ChangeEvent("primary", one, args{"reminders": reminders})
				before := d.remindersOf(t, one)
				got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "standup", "scope": "all", "recurrence": "FREQ=WEEKLY;COUNT=2"})
				bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
				if now := d.remindersOf(t, one); now != before {
					t.Errorf("reminds by %s, and did by %s", now, before)
				}
			})
			t.Run("another change", func(t *testing.T) {
				d, before := eventWithReminders(t, lunch, reminders)
				d.updateLunch(t, args{"title": "Dinner"})
				if now := d.remindersOf(t, "lunch"); now != before {
					t.Errorf("reminds by %s, and did by %s", now, before)
				}
			})
		})
	}
}
