package invitation

import (
	"testing"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/icalendar"
	"kota/metadata"
)

var ownAddresses = []string{"ann@example.com", "ann.m@example.com"}

// Only a file that asks the user for an answer is accepted.
func TestCheckMethodAcceptsOnlyInvitations(t *testing.T) {
	from := icalendar.Event{Organizer: icalendar.Person{Address: "bob@example.org"}, Attendees: []icalendar.Person{{Address: "ann@example.com"}}}
	alone := icalendar.Event{Organizer: from.Organizer}
	for _, c := range []struct {
		method string
		about  icalendar.Event
		asks   bool
	}{
		{"REQUEST", from, true}, {"REQUEST", icalendar.Event{}, false}, {"CANCEL", icalendar.Event{}, true}, {"", from, true}, {"", alone, false},
		{"PUBLISH", from, false}, {"REPLY", from, false}, {"COUNTER", from, false}, {"DECLINECOUNTER", from, false}, {"ADD", from, false}, {"REFRESH", from, false}, {"request", from, false},
	} {
		if err := checkMethod(c.method, c.about); (err == nil) != c.asks || err != nil && metadata.CodeOf(err) != metadata.Refused {
			t.Errorf("%q: got %v", c.method, err)
		}
	}
}

// A file cannot answer for the user.
func TestImportedAnswerIgnoresUsersEntry(t *testing.T) {
	for _, c := range []struct{ address, answer, want string }{
		{"bob@example.org", "ACCEPTED", "accepted"}, {"bob@example.org", "declined", "declined"}, {"bob@example.org", "NEEDS-ACTION", "needsAction"},
		{"bob@example.org", "DELEGATED", "needsAction"}, {"bob@example.org", "", "needsAction"},
		{"ann@example.com", "ACCEPTED", "needsAction"}, {"ANN.M@EXAMPLE.COM", "ACCEPTED", "needsAction"},
	} {
		if got := importedAnswer(icalendar.Person{Address: c.address, Answer: c.answer}, ownAddresses); got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.address, c.answer, got, c.want)
		}
	}
}

func TestOwnEntryIsNeverOrganizers(t *testing.T) {
	bob := &calendarapi.EventOrganizer{Email: "bob@example.org"}
	guest := func(address string, self bool) *calendarapi.EventAttendee {
		return &calendarapi.EventAttendee{Email: address, Self: self}
	}
	for name, c := range map[string]struct {
		e    *calendarapi.Event
		want string // address of the entry; "" if refused
	}{
		"invited":                              {&calendarapi.Event{Organizer: bob, Attendees: []*calendarapi.EventAttendee{guest("bob@example.org", false), guest("ann@example.com", true)}}, "ann@example.com"},
		"invited by another own address":       {&calendarapi.Event{Organizer: bob, Attendees: []*calendarapi.EventAttendee{guest("Ann.M@example.com", false)}}, "Ann.M@example.com"},
		"own entry before another own address": {&calendarapi.Event{Organizer: bob, Attendees: []*calendarapi.EventAttendee{guest("ann@example.com", false), guest("team@example.com", true)}}, "team@example.com"},
		"only others invited":                  {&calendarapi.Event{Organizer: bob, Attendees: []*calendarapi.EventAttendee{guest("carol@example.org", false)}}, ""},
		"their own event":                      {&calendarapi.Event{Organizer: &calendarapi.EventOrganizer{Self: true}, Attendees: []*calendarapi.EventAttendee{guest("ann@example.com", true)}}, ""},
		"their own, by another address":        {&calendarapi.Event{Organizer: &calendarapi.EventOrganizer{Email: "ANN.M@example.com"}, Attendees: []*calendarapi.EventAttendee{guest("ann@example.com", true)}}, ""},
		"an organizer who is not shown":        {&calendarapi.Event{Organizer: &calendarapi.EventOrganizer{}, Attendees: []*calendarapi.EventAttendee{guest("ann@example.com", true)}}, "ann@example.com"},
		"nobody is named":                      {&calendarapi.Event{}, ""},
	} {
		got, err := OwnEntry(c.e, ownAddresses)
		if (err != nil) != (c.want == "") || err == nil && got.Email != c.want {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
}

// An answer changes only the user's own entry in the event.
func TestReplyPatchHasOnlyOwnEntry(t *testing.T) {
	reply := Reply{OwnEntry: &calendarapi.EventAttendee{Email: "ann@example.com", DisplayName: "Ann", Comment: "Late", ResponseStatus: "accepted", AdditionalGuests: 2}, Answer: "declined"}
	got := reply.patch()
	if !got.AttendeesOmitted || len(got.Attendees) != 1 || got.Summary != "" || got.Attendees[0].ResponseStatus != "declined" || got.Attendees[0].AdditionalGuests != 2 || len(got.Attendees[0].ForceSendFields) != 1 {
		t.Errorf("got %+v", got.Attendees[0])
	}
	if reply.IsUnchanged() || !(&Reply{OwnEntry: reply.OwnEntry, Answer: "accepted", Comment: "Late"}).IsUnchanged() {
		t.Error("only the same answer with the same comment was given before")
	}
	held := Args{Answer: "yes", Comment: "Late", Notify: event.NotifyAll}.AsDraft()
	if held.Effect() != metadata.Writes || held.Answer != "yes" || held.LeftOut == "" {
		t.Errorf("held back: got %+v", held)
	}
}
