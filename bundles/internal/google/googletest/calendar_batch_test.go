package googletest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
)

// guides/batch: the endpoint is /batch/calendar/v3.
func TestCalendarBatch(t *testing.T) {
	s := googletest.New(t)
	id := s.User(ada).AddEvent("primary", newEvent("Tea", "2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z"))
	client := s.HTTPClient(ada)
	defer client.CloseIdleConnections()
	part := func(path string) string {
		return "--b\r\nContent-Type: application/http\r\n\r\nGET /calendar/v3/calendars/primary/" + path + "\r\n\r\n"
	}
	body := part("events/"+id) + part("events/00000") + "--b--\r\n"
	answer, err := client.Post(s.URL()+"/batch/calendar/v3", "multipart/mixed; boundary=b", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK || !strings.Contains(string(text), `"Tea"`) || !strings.Contains(string(text), "HTTP/1.1 404") {
		t.Errorf("got %d: %s", answer.StatusCode, text)
	}
}

func TestConferenceReachesGuestsWhenReady(t *testing.T) {
	s := googletest.New(t, googletest.PendingConferences(1))
	s.User(guest)
	event := newEvent("Call", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z")
	event.Attendees = []*calendar.EventAttendee{{Email: guest}}
	event.ConferenceData = &calendar.ConferenceData{CreateRequest: &calendar.CreateConferenceRequest{RequestId: "one"}}
	id := s.User(ada).AddEvent("primary", event)
	events := calendarOf(t, s, ada).Events
	for range 2 {
		if _, err := events.Get("primary", id).Do(); err != nil {
			t.Fatal(err)
		}
	}
	home, copied := s.User(ada).Event("primary", id), s.User(guest).Event("primary", id)
	if home["hangoutLink"] == nil || home["hangoutLink"] != copied["hangoutLink"] {
		t.Errorf("got %v and %v", home["hangoutLink"], copied["hangoutLink"])
	}
}

func TestConferenceCanFail(t *testing.T) {
	s := googletest.New(t, googletest.FailingConferences())
	event := newEvent("Call", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z")
	event.ConferenceData = &calendar.ConferenceData{CreateRequest: &calendar.CreateConferenceRequest{RequestId: "one"}}
	made, err := calendarOf(t, s, ada).Events.Insert("primary", event).ConferenceDataVersion(1).Do()
	if err != nil {
		t.Fatal(err)
	}
	if status := made.ConferenceData.CreateRequest.Status.StatusCode; status != "failure" || made.HangoutLink != "" {
		t.Errorf("got %s, %q", status, made.HangoutLink)
	}
}
