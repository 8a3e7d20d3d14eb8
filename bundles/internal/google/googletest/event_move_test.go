package googletest_test

import (
	"slices"
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// "Moves an event to another calendar, i.e. changes an event's organizer".
func TestMovedEventHasNewOrganizer(t *testing.T) {
	s := googletest.New(t)
	s.User(guest)
	team := s.User(ada).AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	made := newEventWithGuests(t, s, "none", guest)
	events := calendarOf(t, s, ada).Events
	moved, err := events.Move("primary", made.Id, team).SendUpdates("all").Do()
	if err != nil {
		t.Fatal(err)
	}
	if moved.Id != made.Id || moved.Organizer.Email != team || !moved.Organizer.Self {
		t.Errorf("got %+v", moved.Organizer)
	}
	if left, err := events.Get("primary", made.Id).Do(); err != nil || left.Status != "cancelled" {
		t.Errorf("got %+v, %v", left, err)
	}
	copied := s.User(guest).Event("primary", made.Id)
	if copied["status"] != "confirmed" || copied["organizer"].(map[string]any)["email"] != team {
		t.Errorf("got %v", copied)
	}
	if got := mails(s); !slices.Equal(got, []string{"update " + guest}) {
		t.Errorf("got %q", got)
	}
}

// "Only default events can be moved" (events.move).
func TestStatusEventsCannotMove(t *testing.T) {
	s := googletest.New(t)
	team := s.User(ada).AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	id := s.User(ada).AddEvent("primary", `{"eventType": "workingLocation", "visibility": "public", "transparency": "transparent",
		"workingLocationProperties": {"type": "homeOffice", "homeOffice": {}}, "start": {"date": "2026-03-02"}, "end": {"date": "2026-03-03"}}`)
	_, err := calendarOf(t, s, ada).Events.Move("primary", id, team).Do()
	requireProblem(t, err, 400, "eventTypeRestriction")
	_, err = calendarOf(t, s, ada).Events.Move("primary", id, "nobody@example.com").Do()
	requireProblem(t, err, 404, "notFound")
}

// "add a private copy of an existing event to a calendar" (events.import).
func TestImportedEventKeepsOrganizer(t *testing.T) {
	s := googletest.New(t)
	event := newEvent("Talk", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z")
	event.ICalUID, event.Organizer = "talk@elsewhere.example", &calendar.EventOrganizer{Email: carl}
	event.Attendees = []*calendar.EventAttendee{{Email: ada}}
	events := calendarOf(t, s, ada).Events
	first, err := events.Import("primary", event).Do()
	if err != nil {
		t.Fatal(err)
	}
	event.Summary = "Long talk"
	second, err := events.Import("primary", event).Do()
	if err != nil {
		t.Fatal(err)
	}
	if first.Organizer.Email != carl || first.Id != second.Id || second.Summary != "Long talk" || second.ICalUID != event.ICalUID {
		t.Errorf("got %+v and %+v", first, second)
	}
	answer := &calendar.Event{Attendees: []*calendar.EventAttendee{{Email: ada, ResponseStatus: "accepted"}}}
	if _, err := events.Patch("primary", first.Id, answer).SendUpdates("all").Do(); err != nil {
		t.Fatal(err)
	}
	if got := mails(s); !slices.Equal(got, []string{"reply " + carl}) {
		t.Errorf("got %q", got)
	}
}
