package googletest_test

import (
	"fmt"
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
)

// newInvitedUser makes a daily series of Bob's, five times at nine, with Ada as a
// guest. It returns its id and Ada's client.
func newInvitedUser(t *testing.T, s *googletest.Server) (id string, events *calendar.EventsService) {
	t.Helper()
	_, events = newYorkUser(t, s)
	s.User(bob).SetZone("America/New_York")
	return s.User(bob).AddEvent("primary", &calendar.Event{
		Summary: "Standup", Start: local("2026-03-02T09:00:00"), End: local("2026-03-02T09:15:00"),
		Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=5"}, Attendees: []*calendar.EventAttendee{{Email: ada}},
	}), events
}

func TestGuestCopyOfSeriesIsASeries(t *testing.T) {
	s := googletest.New(t)
	id, events := newInvitedUser(t, s)
	s.User(bob).ChangeEvent("primary", id+"_20260303T140000Z", map[string]any{"start": local("2026-03-03T11:00:00"), "end": local("2026-03-03T11:15:00")})
	s.User(bob).DeleteEvent("primary", id+"_20260304T140000Z")
	requireEvents(t, all(t, events.Instances("primary", id).ShowDeleted(true)),
		"Standup 2026-03-02T09:00:00-05:00",
		"Standup 2026-03-03T11:00:00-05:00 for 2026-03-03T09:00:00-05:00",
		"cancelled for 2026-03-04T09:00:00-05:00",
		"Standup 2026-03-05T09:00:00-05:00",
		"Standup 2026-03-06T09:00:00-05:00")

	s.User(bob).ChangeEvent("primary", id, `{"summary": "Huddle", "recurrence": ["RRULE:FREQ=DAILY;COUNT=2"]}`)
	requireEvents(t, all(t, events.Instances("primary", id).ShowDeleted(true)),
		"Huddle 2026-03-02T09:00:00-05:00",
		"Huddle 2026-03-03T11:00:00-05:00 for 2026-03-03T09:00:00-05:00")
	s.User(bob).DeleteEvent("primary", id)
	if got := all(t, events.List("primary")); len(got) != 0 {
		t.Errorf("got %s", eventLines(got))
	}
	if got := s.User(ada).Event("primary", id+"_20260303T140000Z"); got["status"] != "cancelled" {
		t.Errorf("got %v", got)
	}
}

func TestGuestAnswersOneInstance(t *testing.T) {
	s := googletest.New(t)
	id, events := newInvitedUser(t, s)
	one := id + "_20260303T140000Z"
	if _, err := events.Patch("primary", one, &calendar.Event{
		Attendees: []*calendar.EventAttendee{{Email: ada, ResponseStatus: "declined"}},
	}).SendUpdates("none").Do(); err != nil {
		t.Fatal(err)
	}
	answer := func(of *googletest.User, id string) any {
		return of.Event("primary", id)["attendees"].([]any)[0].(map[string]any)["responseStatus"]
	}
	for _, u := range []*googletest.User{s.User(ada), s.User(bob)} {
		if answer(u, one) != "declined" || answer(u, id) != "needsAction" || answer(u, id+"_20260304T140000Z") != "needsAction" {
			t.Errorf("%s: got %v, of the series %v", u.Address, answer(u, one), answer(u, id))
		}
	}
	free := ask(t, s, &calendar.FreeBusyRequest{TimeMin: "2026-03-03T00:00:00Z", TimeMax: "2026-03-05T00:00:00Z"}, "primary")
	if got := busy(free.Calendars["primary"]); got != "2026-03-04T14:00:00Z/2026-03-04T14:15:00Z" {
		t.Errorf("got %s", got)
	}
	if err := events.Delete("primary", id+"_20260304T140000Z").SendUpdates("none").Do(); err != nil {
		t.Fatal(err)
	}
	left := s.User(bob).Event("primary", id+"_20260304T140000Z")
	if left["status"] != "confirmed" || answer(s.User(bob), id+"_20260304T140000Z") != "declined" {
		t.Errorf("got %v: a guest who deletes has declined", left)
	}
}

func TestGuestOfOneInstanceHasOnlyThat(t *testing.T) {
	s := googletest.New(t)
	_, events := newYorkUser(t, s)
	id := series(s.User(bob), "2026-03-02T09:00:00", "2026-03-02T09:15:00", "RRULE:FREQ=DAILY;COUNT=5")
	s.User(bob).ChangeEvent("primary", id+"_20260303T140000Z", `{"attendees": [{"email": "ada@example.com"}]}`)
	for _, single := range []bool{true, false} {
		got := all(t, events.List("primary").SingleEvents(single))
		requireEvents(t, got, "Standup 2026-03-03T09:00:00-05:00")
		if len(got) == 1 && got[0].RecurringEventId != id {
			t.Errorf("got %+v", got[0])
		}
	}
	for _, none := range []string{id, id + "_20260304T140000Z"} {
		_, err := events.Get("primary", none).Do()
		requireProblem(t, err, 404, "notFound")
	}
}

func TestGuestOfOneInstanceSeesItsChanges(t *testing.T) {
	const one = "standup_20260304T090000Z"
	for name, c := range map[string]struct {
		change func(u *googletest.User)
		want   string // the resulting copy of the guest
	}{
		"the series is deleted": {func(u *googletest.User) { u.DeleteEvent("primary", "standup") }, "cancelled <nil>"},
		"the series ends before": {func(u *googletest.User) {
			u.ChangeEvent("primary", "standup", `{"recurrence": ["RRULE:FREQ=DAILY;COUNT=2"]}`)
		}, "cancelled <nil>"},
		"the series ends after": {func(u *googletest.User) {
			u.ChangeEvent("primary", "standup", `{"recurrence": ["RRULE:FREQ=DAILY;COUNT=4"]}`)
		}, "confirmed Standup"},
		"the series has a title": {func(u *googletest.User) { u.ChangeEvent("primary", "standup", `{"summary": "Huddle"}`) }, "confirmed Huddle"},
		"the series was deleted and is back": {func(u *googletest.User) {
			u.DeleteEvent("primary", "standup")
			u.ChangeEvent("primary", "standup", `{"status": "confirmed"}`)
		}, "confirmed Standup"},
	} {
		t.Run(name, func(t *testing.T) {
			s := googletest.New(t)
			s.User(bob).SetZone("UTC")
			s.User(ada)
			s.User(bob).AddEvent("primary", `{"id": "standup", "summary": "Standup", "recurrence": ["RRULE:FREQ=DAILY;COUNT=5"],
				"start": {"dateTime": "2026-03-02T09:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-03-02T09:15:00Z", "timeZone": "UTC"}}`)
			s.User(bob).ChangeEvent("primary", one, map[string]any{"attendees": []map[string]any{{"email": ada}}})
			c.change(s.User(bob))
			got := s.User(ada).Event("primary", one)
			if is := fmt.Sprint(got["status"], " ", got["summary"]); is != c.want {
				t.Errorf("it is %s, want %s", is, c.want)
			}
		})
	}
}
