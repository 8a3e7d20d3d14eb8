package googletest_test

import (
	"slices"
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
)

const (
	guest = "guest@example.com"
	carl  = "carl@elsewhere.example" // has no account
)

// newEventWithGuests makes an event of ada's with guests.
func newEventWithGuests(t *testing.T, s *googletest.Server, updates string, with ...string) *calendar.Event {
	t.Helper()
	event := newEvent("Party", "2026-03-02T18:00:00Z", "2026-03-02T20:00:00Z")
	for _, address := range with {
		event.Attendees = append(event.Attendees, &calendar.EventAttendee{Email: address})
	}
	made, err := calendarOf(t, s, ada).Events.Insert("primary", event).SendUpdates(updates).Do()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func mails(s *googletest.Server) []string {
	var all []string
	for _, m := range s.Invitations() {
		all = append(all, m.Kind+" "+m.To)
	}
	return all
}

// "sendUpdates: Guests who should receive notifications" (events.insert).
func TestSendUpdatesOnlyControlsMail(t *testing.T) {
	for updates, want := range map[string][]string{
		"none": nil, "externalOnly": {"invite " + carl}, "all": {"invite " + guest, "invite " + carl},
	} {
		t.Run(updates, func(t *testing.T) {
			s := googletest.New(t)
			s.User(guest)
			made := newEventWithGuests(t, s, updates, guest, carl)
			if got := mails(s); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			copied, err := calendarOf(t, s, guest).Events.Get("primary", made.Id).Do()
			if err != nil {
				t.Fatal(err)
			}
			if copied.ICalUID != made.ICalUID || copied.Organizer.Self || copied.Organizer.Email != ada || !copied.Attendees[0].Self {
				t.Errorf("got %+v", copied)
			}
		})
	}
}

func TestAnswerReachesOrganizer(t *testing.T) {
	s := googletest.New(t)
	s.User(guest)
	made := newEventWithGuests(t, s, "none", guest, carl)
	events := calendarOf(t, s, guest).Events
	answer := &calendar.Event{Attendees: []*calendar.EventAttendee{{Email: guest, ResponseStatus: "accepted"}}, AttendeesOmitted: true}
	if _, err := events.Patch("primary", made.Id, answer).SendUpdates("all").Do(); err != nil {
		t.Fatal(err)
	}
	home, err := calendarOf(t, s, ada).Events.Get("primary", made.Id).Do()
	if err != nil {
		t.Fatal(err)
	}
	if len(home.Attendees) != 2 || home.Attendees[0].ResponseStatus != "accepted" || home.Etag == made.Etag || home.Sequence != 0 {
		t.Errorf("got %+v", home)
	}
	if got := mails(s); !slices.Equal(got, []string{"reply " + ada}) {
		t.Errorf("got %q", got)
	}
}

// "The event update request is attempting to set one of the shared event
// properties in a copy that isn't the organizer's" (guides/errors).
func TestGuestCannotChangeSharedFields(t *testing.T) {
	s := googletest.New(t)
	s.User(guest)
	made := newEventWithGuests(t, s, "none", guest, carl)
	events := calendarOf(t, s, guest).Events
	for name, change := range map[string]*calendar.Event{
		"the summary":           {Summary: "Mine"},
		"the time":              {End: &calendar.EventDateTime{DateTime: "2026-03-02T21:00:00Z"}},
		"another's answer":      {Attendees: []*calendar.EventAttendee{{Email: guest}, {Email: carl, ResponseStatus: "accepted"}}},
		"who is there":          {Attendees: []*calendar.EventAttendee{{Email: guest}}},
		"what guests may do":    {GuestsCanModify: true},
		"the shared properties": {ExtendedProperties: &calendar.EventExtendedProperties{Shared: map[string]string{"a": "b"}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := events.Patch("primary", made.Id, change).SendUpdates("none").Do()
			requireProblem(t, err, 403, "forbiddenForNonOrganizer")
		})
	}
	own := &calendar.Event{ColorId: "3", ExtendedProperties: &calendar.EventExtendedProperties{Private: map[string]string{"a": "b"}},
		Reminders: &calendar.EventReminders{ForceSendFields: []string{"UseDefault"}}}
	if _, err := events.Patch("primary", made.Id, own).SendUpdates("none").Do(); err != nil {
		t.Fatal(err)
	}
	if home := s.User(ada).Event("primary", made.Id); home["colorId"] != nil || home["etag"] != made.Etag {
		t.Errorf("what is personal reached the organizer: %v", home)
	}
}

// "guestsCanSeeOtherGuests: Whether attendees other than the organizer can see
// who the event's attendees are" (Events).
func TestGuestKeepsHiddenGuests(t *testing.T) {
	for _, may := range []bool{false, true} {
		s := googletest.New(t)
		s.User(guest)
		id := s.User(ada).AddEvent("primary", map[string]any{
			"start": map[string]any{"date": "2026-03-02"}, "end": map[string]any{"date": "2026-03-03"},
			"attendees":               []map[string]any{{"email": guest}, {"email": carl}},
			"guestsCanSeeOtherGuests": false, "guestsCanModify": may,
		})
		events := calendarOf(t, s, guest).Events
		seen, err := events.Get("primary", id).Do()
		if err != nil {
			t.Fatal(err)
		}
		if len(seen.Attendees) != 1 || !seen.Attendees[0].Self || !seen.AttendeesOmitted {
			t.Errorf("the guest sees %+v", seen.Attendees)
		}
		seen.Attendees[0].ResponseStatus = "accepted"
		change := &calendar.Event{Attendees: seen.Attendees}
		if _, err := events.Patch("primary", id, change).SendUpdates("none").Do(); err != nil {
			t.Fatal(err)
		}
		home, err := calendarOf(t, s, ada).Events.Get("primary", id).Do()
		if err != nil {
			t.Fatal(err)
		}
		if len(home.Attendees) != 2 || home.Attendees[0].ResponseStatus != "accepted" {
			t.Errorf("guests may modify: %t, there are left %+v", may, home.Attendees)
		}
	}
}

// "guestsCanModify: Whether attendees other than the organizer can modify the
// event" (Events).
func TestGuestWithModifyRightChangesForAll(t *testing.T) {
	s := googletest.New(t)
	s.User(guest)
	made := newEventWithGuests(t, s, "none", guest, carl)
	s.User(ada).ChangeEvent("primary", made.Id, `{"guestsCanModify": true}`)
	change := &calendar.Event{Summary: "Feast"}
	if _, err := calendarOf(t, s, guest).Events.Patch("primary", made.Id, change).SendUpdates("all").Do(); err != nil {
		t.Fatal(err)
	}
	if got := s.User(ada).Event("primary", made.Id); got["summary"] != "Feast" {
		t.Errorf("got %v", got)
	}
	if got := mails(s); !slices.Equal(got, []string{"update " + ada, "update " + carl}) {
		t.Errorf("got %q", got)
	}
}

func TestCancellationReachesGuests(t *testing.T) {
	s := googletest.New(t)
	s.User(guest)
	made := newEventWithGuests(t, s, "none", guest)
	if err := calendarOf(t, s, ada).Events.Delete("primary", made.Id).SendUpdates("all").Do(); err != nil {
		t.Fatal(err)
	}
	if got := s.User(guest).Event("primary", made.Id); got["status"] != "cancelled" {
		t.Errorf("got %v", got)
	}
	if got := mails(s); !slices.Equal(got, []string{"cancel " + guest}) {
		t.Errorf("got %q", got)
	}
}

func TestGuestDeletingDeclines(t *testing.T) {
	s := googletest.New(t)
	s.User(guest)
	made := newEventWithGuests(t, s, "none", guest)
	s.User(guest).DeleteEvent("primary", made.Id)
	home, err := calendarOf(t, s, ada).Events.Get("primary", made.Id).Do()
	if err != nil {
		t.Fatal(err)
	}
	if home.Status != "confirmed" || home.Attendees[0].ResponseStatus != "declined" {
		t.Errorf("got %s, %+v", home.Status, home.Attendees[0])
	}
	s.User(ada).ChangeEvent("primary", made.Id, `{"summary": "Feast"}`)
	if got := s.User(guest).Event("primary", made.Id); got["status"] != "cancelled" {
		t.Errorf("the deleted event came back: %v", got)
	}
}

// "When you change attendees, the whole array is replaced" (guides/performance#patch).
func TestPatchReplacesAttendees(t *testing.T) {
	s := googletest.New(t)
	s.User(guest)
	made := newEventWithGuests(t, s, "none", guest)
	change := &calendar.Event{Attendees: []*calendar.EventAttendee{{Email: carl, ResponseStatus: "perhaps"}, {Email: carl}}}
	got, err := calendarOf(t, s, ada).Events.Patch("primary", made.Id, change).SendUpdates("all").Do()
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Attendees) != 1 || got.Attendees[0].ResponseStatus != "needsAction" {
		t.Errorf("got %+v", got.Attendees)
	}
	if sent := mails(s); !slices.Equal(sent, []string{"invite " + carl, "cancel " + guest}) {
		t.Errorf("got %q", sent)
	}
	if s.User(guest).Event("primary", made.Id)["status"] != "cancelled" {
		t.Error("the event stays with him who is no guest")
	}
}

// "If there are more than the specified number of attendees, only the
// participant is returned" (events.get, maxAttendees).
func TestTooManyAttendeesAreOmitted(t *testing.T) {
	s := googletest.New(t)
	made := newEventWithGuests(t, s, "none", ada, guest, carl)
	got, err := calendarOf(t, s, ada).Events.Get("primary", made.Id).MaxAttendees(2).Do()
	if err != nil {
		t.Fatal(err)
	}
	if !got.AttendeesOmitted || len(got.Attendees) != 1 || !got.Attendees[0].Self || !got.Attendees[0].Organizer {
		t.Errorf("got %+v", got.Attendees)
	}
}

func TestExplicitUpdatesRequiresSendUpdates(t *testing.T) {
	s, violations := newRecorded(t, googletest.ExplicitUpdates())
	event := newEvent("Party", "2026-03-02T18:00:00Z", "2026-03-02T20:00:00Z")
	event.Attendees = []*calendar.EventAttendee{{Email: guest}}
	_, err := calendarOf(t, s, ada).Events.Insert("primary", event).Do()
	if seen := violations(); err == nil || len(seen) != 1 {
		t.Errorf("got %v and %q", err, seen)
	}
}
