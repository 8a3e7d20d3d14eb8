package googletest_test

import (
	"net/http"
	"testing"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"kota/bundles/internal/google/googletest"
)

// calendarOf returns the real client for a user of the fake.
func calendarOf(t *testing.T, s *googletest.Server, user string, scopes ...string) *calendar.Service {
	t.Helper()
	client := s.HTTPClient(user, scopes...)
	t.Cleanup(client.CloseIdleConnections)
	svc, err := calendar.NewService(t.Context(), option.WithEndpoint(s.URL()+"/calendar/v3/"), option.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	return svc
}

// requireProblem checks that the error is Google's, with that status and reason.
func requireProblem(t *testing.T, err error, status int, reason string) {
	t.Helper()
	if e := googleError(t, err); e.Code != status || reasonOf(e) != reason {
		t.Errorf("got %d %s, want %d %s", e.Code, reasonOf(e), status, reason)
	}
}

func newEvent(summary, start, end string) *calendar.Event {
	return &calendar.Event{
		Summary: summary,
		Start:   &calendar.EventDateTime{DateTime: start},
		End:     &calendar.EventDateTime{DateTime: end},
	}
}

func TestEventChangeNeedsCurrentEtag(t *testing.T) {
	s := googletest.New(t)
	events := calendarOf(t, s, ada).Events
	made, err := events.Insert("primary", newEvent("Tea", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z")).SendUpdates("none").Do()
	if err != nil {
		t.Fatal(err)
	}
	change := events.Patch("primary", made.Id, &calendar.Event{Summary: "Coffee"}).SendUpdates("none")
	change.Header().Set("If-Match", made.Etag)
	changed, err := change.Do()
	if err != nil {
		t.Fatal(err)
	}
	if changed.Summary != "Coffee" || changed.Etag == made.Etag || changed.Start.DateTime != made.Start.DateTime {
		t.Errorf("got %+v", changed)
	}
	_, err = change.Do()
	requireProblem(t, err, http.StatusPreconditionFailed, "conditionNotMet")

	list, err := events.List("primary").Do()
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 1 || list.Items[0].Summary != "Coffee" {
		t.Errorf("got %+v", list.Items)
	}
	if err := events.Delete("primary", made.Id).SendUpdates("none").Do(); err != nil {
		t.Fatal(err)
	}
	requireProblem(t, events.Delete("primary", made.Id).SendUpdates("none").Do(), http.StatusGone, "deleted")
	gone, err := events.Get("primary", made.Id).Do()
	if err != nil || gone.Status != "cancelled" {
		t.Errorf("got %+v, %v", gone, err)
	}
}
