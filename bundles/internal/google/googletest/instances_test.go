package googletest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"kota/bundles/internal/google/googletest"
)

// series makes a series in New York that starts at the local time, or on the
// day, and returns its id.
func series(u *googletest.User, start, end string, lines ...string) string {
	return u.AddEvent("primary", &calendar.Event{Summary: "Standup", Start: local(start), End: local(end), Recurrence: lines})
}

func local(at string) *calendar.EventDateTime {
	if len(at) == len("2006-01-02") {
		return &calendar.EventDateTime{Date: at}
	}
	return &calendar.EventDateTime{DateTime: at, TimeZone: "America/New_York"}
}

// newYorkUser returns a user in the zone of New York, and the real client.
func newYorkUser(t *testing.T, s *googletest.Server) (*googletest.User, *calendar.EventsService) {
	t.Helper()
	u := s.User(ada)
	u.SetZone("America/New_York")
	return u, calendarOf(t, s, ada).Events
}

// all reads a list to its end.
func all(t *testing.T, list interface {
	Do(...googleapi.CallOption) (*calendar.Events, error)
}) []*calendar.Event {
	t.Helper()
	page, err := list.Do()
	if err != nil {
		t.Fatal(err)
	}
	if page.NextPageToken != "" {
		t.Fatalf("%d events are not all", len(page.Items))
	}
	return page.Items
}

// eventLines returns the events of a list, one line each.
func eventLines(events []*calendar.Event) string {
	var lines []string
	for _, e := range events {
		line := e.Status
		if e.Start != nil {
			line = e.Summary + " " + e.Start.DateTime + e.Start.Date
		}
		if e.OriginalStartTime != nil && (e.Start == nil || e.OriginalStartTime.DateTime != e.Start.DateTime) {
			line += " for " + e.OriginalStartTime.DateTime + e.OriginalStartTime.Date
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func requireEvents(t *testing.T, events []*calendar.Event, want ...string) {
	t.Helper()
	if got := eventLines(events); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestInstanceIDHasOriginalStartInUTC(t *testing.T) {
	s := googletest.New(t)
	u, events := newYorkUser(t, s)
	id := series(u, "2026-03-07T02:30:00", "2026-03-07T03:30:00", "RRULE:FREQ=DAILY;COUNT=3")
	var got []string
	for _, e := range all(t, events.Instances("primary", id)) {
		got = append(got, e.Id+" "+e.Start.DateTime+" "+e.End.DateTime)
		if e.RecurringEventId != id || len(e.Recurrence) > 0 || e.OriginalStartTime.TimeZone != "America/New_York" {
			t.Errorf("got %+v", e)
		}
		if one, err := events.Get("primary", e.Id).Do(); err != nil || one.Start.DateTime != e.Start.DateTime {
			t.Errorf("got %+v, %v", one, err)
		}
	}
	want := []string{
		id + "_20260307T073000Z 2026-03-07T02:30:00-05:00 2026-03-07T03:30:00-05:00",
		id + "_20260308T073000Z 2026-03-08T03:30:00-04:00 2026-03-08T04:30:00-04:00", // the clock skips 02:30
		id + "_20260309T063000Z 2026-03-09T02:30:00-04:00 2026-03-09T03:30:00-04:00",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}

	days := series(u, "2026-03-07", "2026-03-09", "RRULE:FREQ=DAILY;COUNT=2")
	whole := all(t, events.Instances("primary", days))
	if len(whole) != 2 || whole[1].Id != days+"_20260308" || whole[1].End.Date != "2026-03-10" || whole[1].OriginalStartTime.Date != "2026-03-08" {
		t.Errorf("got %+v", whole)
	}
	for _, none := range []string{
		id + "_20260308T063000Z", id + "_20260308", days + "_20260309", days + "_20260308T000000Z", id + "_", id + "_20260307T073000Z_20260307T073000Z",
	} {
		_, err := events.Get("primary", none).Do()
		requireProblem(t, err, 404, "notFound")
	}
}

func TestInstanceIsListedByItsCurrentTime(t *testing.T) {
	now := time.Now()
	s := googletest.New(t, googletest.Clock(func() time.Time { return now }))
	u, events := newYorkUser(t, s)
	id := series(u, "2026-03-02T09:00:00", "2026-03-02T09:15:00", "RRULE:FREQ=DAILY;COUNT=5", "EXDATE;TZID=America/New_York:20260303T090000")
	if _, err := events.Patch("primary", id+"_20260304T140000Z", &calendar.Event{
		Summary: "Moved", Start: local("2026-03-20T10:00:00"), End: local("2026-03-20T10:15:00"),
	}).SendUpdates("none").Do(); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Second) // otherwise, on a fast machine, everything happens in one millisecond
	if err := events.Delete("primary", id+"_20260305T140000Z").SendUpdates("none").Do(); err != nil {
		t.Fatal(err)
	}
	requireProblem(t, events.Delete("primary", id+"_20260305T140000Z").SendUpdates("none").Do(), 410, "deleted")
	requireProblem(t, events.Delete("primary", id+"_20260303T140000Z").SendUpdates("none").Do(), 404, "notFound") // excluded

	week := func() *calendar.EventsListCall {
		return events.List("primary").TimeMin("2026-03-02T00:00:00-05:00").TimeMax("2026-03-09T00:00:00-04:00")
	}
	requireEvents(t, all(t, week().SingleEvents(true).OrderBy("startTime")),
		"Standup 2026-03-02T09:00:00-05:00", "Standup 2026-03-06T09:00:00-05:00")
	requireEvents(t, all(t, week().SingleEvents(true).ShowDeleted(true).OrderBy("updated"))[2:],
		"cancelled for 2026-03-05T09:00:00-05:00")
	requireEvents(t, all(t, events.List("primary").SingleEvents(true).TimeMin("2026-03-09T00:00:00-04:00")),
		"Moved 2026-03-20T10:00:00-04:00 for 2026-03-04T09:00:00-05:00")
	// A list of series contains their cancelled instances. It contains the
	// series if an instance is in the window.
	requireEvents(t, all(t, week()), "Standup 2026-03-02T09:00:00-05:00", "cancelled for 2026-03-05T09:00:00-05:00")
	requireEvents(t, all(t, events.List("primary").TimeMin("2026-03-07T00:00:00-05:00").TimeMax("2026-03-08T00:00:00-05:00")))

	requireEvents(t, all(t, events.Instances("primary", id).OriginalStart("2026-03-04T14:00:00Z")),
		"Moved 2026-03-20T10:00:00-04:00 for 2026-03-04T09:00:00-05:00")
	requireEvents(t, all(t, events.Instances("primary", id).OriginalStart("2026-03-05T09:00:00-05:00")))
	requireEvents(t, all(t, events.Instances("primary", id).OriginalStart("2026-03-05T09:00:00-05:00").ShowDeleted(true)),
		"cancelled for 2026-03-05T09:00:00-05:00")
	requireEvents(t, all(t, events.Instances("primary", id).TimeMin("2026-03-06T09:15:00-05:00").TimeMax("2026-03-07T00:00:00-05:00")),
		"Standup 2026-03-06T09:00:00-05:00") // for instances timeMin is inclusive
	requireEvents(t, all(t, week().SingleEvents(true).TimeMin("2026-03-06T09:15:00-05:00")))
}

func TestInstancesComeInPages(t *testing.T) {
	s := googletest.New(t)
	u, events := newYorkUser(t, s)
	id := series(u, "2026-03-02T09:00:00", "2026-03-02T09:15:00", "RRULE:FREQ=DAILY;COUNT=5")
	var got []*calendar.Event
	pages := 0
	if err := events.Instances("primary", id).MaxResults(2).TimeZone("Europe/Paris").Pages(t.Context(), func(page *calendar.Events) error {
		pages++
		got = append(got, page.Items...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if pages != 3 || len(got) != 5 || got[4].Start.DateTime != "2026-03-06T15:00:00+01:00" || got[4].Start.TimeZone != "America/New_York" {
		t.Errorf("got %d pages:\n%s", pages, eventLines(got))
	}
	single := u.AddEvent("primary", newEvent("Tea", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z"))
	_, err := events.Instances("primary", single).Do()
	requireProblem(t, err, 400, "badRequest")
	_, err = events.Instances("primary", id).OriginalStart("monday").Do()
	requireProblem(t, err, 400, "invalid")
}
