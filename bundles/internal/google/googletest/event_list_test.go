package googletest_test

import (
	"net/http"
	"slices"
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
)

func summaries(t *testing.T, call *calendar.EventsListCall) []string {
	t.Helper()
	list, err := call.Do()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range list.Items {
		names = append(names, e.Summary)
	}
	slices.Sort(names)
	return names
}

// "timeMin: Lower bound (exclusive) for an event's end time", "timeMax: Upper
// bound (exclusive) for an event's start time" (events.list).
func TestListWindow(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	u.SetZone("America/New_York")
	u.AddEvent("primary", newEvent("before", "2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z"))
	u.AddEvent("primary", newEvent("into", "2026-03-02T08:00:00Z", "2026-03-02T10:00:01Z"))
	u.AddEvent("primary", newEvent("around", "2026-03-01T08:00:00Z", "2026-03-05T10:00:00Z"))
	u.AddEvent("primary", newEvent("out of", "2026-03-02T11:59:59Z", "2026-03-02T14:00:00Z"))
	u.AddEvent("primary", newEvent("after", "2026-03-02T12:00:00Z", "2026-03-02T14:00:00Z"))
	u.AddEvent("primary", `{"summary": "day", "start": {"date": "2026-03-02"}, "end": {"date": "2026-03-03"}}`)
	events := calendarOf(t, s, ada).Events
	got := summaries(t, events.List("primary").TimeMin("2026-03-02T10:00:00Z").TimeMax("2026-03-02T12:00:00Z"))
	if want := []string{"around", "day", "into", "out of"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	got = summaries(t, events.List("primary").TimeMin("2026-03-03T04:59:59Z").TimeMax("2026-03-03T05:00:00Z"))
	if want := []string{"around", "day"}; !slices.Equal(got, want) {
		t.Errorf("a day ends at midnight of the calendar's zone: got %q, want %q", got, want)
	}
	_, err := events.List("primary").TimeMin("2026-03-02T10:00:00Z").TimeMax("2026-03-02T10:00:00Z").Do()
	requireProblem(t, err, http.StatusBadRequest, "timeRangeEmpty")
	_, err = events.List("primary").OrderBy("startTime").Do()
	requireProblem(t, err, http.StatusBadRequest, "badRequest")
}

func TestListFilters(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	tea := newEvent("Tea", "2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z")
	tea.Location, tea.Attendees = "Harbour Café", []*calendar.EventAttendee{{Email: guest, DisplayName: "Grete"}}
	tea.ExtendedProperties = &calendar.EventExtendedProperties{Private: map[string]string{"kota": "1"}, Shared: map[string]string{"a": "b"}}
	u.AddEvent("primary", tea)
	focus := newEvent("Focus", "2026-03-02T12:00:00Z", "2026-03-02T14:00:00Z")
	focus.EventType, focus.FocusTimeProperties = "focusTime", &calendar.EventFocusTimeProperties{ChatStatus: "available"}
	id := u.AddEvent("primary", focus)
	u.DeleteEvent("primary", u.AddEvent("primary", newEvent("Gone", "2026-03-02T12:00:00Z", "2026-03-02T14:00:00Z")))
	events := calendarOf(t, s, ada).Events
	for name, c := range map[string]struct {
		call *calendar.EventsListCall
		want []string
	}{
		"by words of a place":      {events.List("primary").Q("harbour TEA"), []string{"Tea"}},
		"by a guest":               {events.List("primary").Q("grete"), []string{"Tea"}},
		"by words of nothing":      {events.List("primary").Q("tea focus"), []string{}},
		"by type":                  {events.List("primary").EventTypes("focusTime", "outOfOffice"), []string{"Focus"}},
		"by iCalUID":               {events.List("primary").ICalUID(id + "@google.com"), []string{"Focus"}},
		"by a private property":    {events.List("primary").PrivateExtendedProperty("kota=1"), []string{"Tea"}},
		"by two, one not there":    {events.List("primary").SharedExtendedProperty("a=b", "c=d"), []string{}},
		"with what was deleted":    {events.List("primary").ShowDeleted(true), []string{"Focus", "Gone", "Tea"}},
		"without what was deleted": {events.List("primary"), []string{"Focus", "Tea"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := summaries(t, c.call); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestListUsesRequestedZone(t *testing.T) {
	s := googletest.New(t)
	id := s.User(ada).AddEvent("primary", newEvent("Tea", "2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z"))
	got, err := calendarOf(t, s, ada).Events.Get("primary", id).TimeZone("Asia/Tokyo").Do()
	if err != nil || got.Start.DateTime != "2026-03-02T17:00:00+09:00" || got.Start.TimeZone != "UTC" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestFaultsAndScopesApplyToCalendar(t *testing.T) {
	s := googletest.New(t)
	s.Fault(fakeapi.Fault{Method: "calendar.events.list", Nth: 1, Status: 403, Reason: "rateLimitExceeded"})
	events := calendarOf(t, s, ada, "calendar.events.readonly").Events
	_, err := events.List("primary").Do()
	requireProblem(t, err, 403, "rateLimitExceeded")
	if _, err := events.List("primary").Do(); err != nil {
		t.Error(err)
	}
	_, err = events.Insert("primary", newEvent("Tea", "2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z")).Do()
	requireProblem(t, err, 403, "insufficientPermissions")
	if s.Calls("calendar.events.list") != 2 {
		t.Errorf("counted %d lists", s.Calls("calendar.events.list"))
	}
}

// ETags in conditional requests (developers.google.com/workspace/calendar/api/guides/version-resources).
func TestConditionalGetOfEvent(t *testing.T) {
	s := googletest.New(t)
	id := s.User(ada).AddEvent("primary", newEvent("Tea", "2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z"))
	events := calendarOf(t, s, ada).Events
	first, err := events.Get("primary", id).Do()
	if err != nil {
		t.Fatal(err)
	}
	_, err = events.Get("primary", id).IfNoneMatch(first.Etag).Do()
	if googleError(t, err).Code != http.StatusNotModified {
		t.Errorf("got %v", err)
	}
	s.User(ada).ChangeEvent("primary", id, `{"summary": "Coffee"}`)
	if again, err := events.Get("primary", id).IfNoneMatch(first.Etag).Do(); err != nil || again.Summary != "Coffee" {
		t.Errorf("got %+v, %v", again, err)
	}
}
