package googletest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// changesSince returns the changes since the token, and the next token.
func changesSince(t *testing.T, list *calendar.EventsListCall, token string) ([]*calendar.Event, string) {
	t.Helper()
	if token != "" {
		list = list.SyncToken(token)
	}
	page, err := list.Do()
	if err != nil {
		t.Fatal(err)
	}
	if page.NextSyncToken == "" {
		t.Error("no sync token")
	}
	return page.Items, page.NextSyncToken
}

func ids(events []*calendar.Event) string {
	var all []string
	for _, e := range events {
		all = append(all, strings.TrimPrefix(e.Status+" ", "confirmed ")+e.Id)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func TestSyncListOfSeries(t *testing.T) {
	s := googletest.New(t)
	u, events := newYorkUser(t, s)
	id := series(u, "2026-03-02T09:00:00", "2026-03-02T09:15:00", "RRULE:FREQ=DAILY;COUNT=5")
	tea := u.AddEvent("primary", newEvent("Tea", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z"))
	first, token := changesSince(t, events.List("primary"), "")
	if len(first) != 2 {
		t.Errorf("got %s", ids(first))
	}
	none, same := changesSince(t, events.List("primary"), token)
	if len(none) != 0 || same != token {
		t.Errorf("got %s and another token", ids(none))
	}

	u.ChangeEvent("primary", id+"_20260304T140000Z", `{"summary": "Other"}`)
	u.DeleteEvent("primary", id+"_20260305T140000Z")
	u.DeleteEvent("primary", tea)
	changed, token := changesSince(t, events.List("primary"), token)
	if got, want := ids(changed), "cancelled "+id+"_20260305T140000Z\ncancelled "+tea+"\n"+id+"_20260304T140000Z"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, e := range changed {
		switch {
		case e.Status != "cancelled":
		case e.Summary != "" || e.Start != nil || e.ICalUID != "":
			t.Errorf("a deleted event still says %+v", e)
		case e.Id != tea && (e.RecurringEventId != id || e.OriginalStartTime.DateTime != "2026-03-05T09:00:00-05:00"):
			t.Errorf("got %+v", e)
		}
	}
	// The exception disappears with the end of the rule; the list still names
	// it.
	u.ChangeEvent("primary", id, `{"recurrence": ["RRULE:FREQ=DAILY;COUNT=2"]}`)
	changed, _ = changesSince(t, events.List("primary"), token)
	if got, want := ids(changed), "cancelled "+id+"_20260304T140000Z\ncancelled "+id+"_20260305T140000Z\n"+id; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSyncListOfInstances(t *testing.T) {
	s := googletest.New(t)
	u, events := newYorkUser(t, s)
	id := series(u, "2026-03-02T09:00:00", "2026-03-02T09:15:00", "RRULE:FREQ=DAILY")
	quiet := series(u, "2026-03-02T12:00:00", "2026-03-02T12:15:00", "RRULE:FREQ=DAILY")
	list := func() *calendar.EventsListCall { return events.List("primary").SingleEvents(true) }
	first, token := changesSince(t, list().TimeMin("2026-03-03T00:00:00-05:00").TimeMax("2026-03-05T00:00:00-05:00"), "")
	if len(first) != 4 {
		t.Errorf("got %s", ids(first))
	}
	u.ChangeEvent("primary", id+"_20260304T140000Z", map[string]any{"start": local("2026-04-01T09:00:00"), "end": local("2026-04-01T09:15:00")})
	changed, token := changesSince(t, list(), token)
	requireEvents(t, changed, "Standup 2026-04-01T09:00:00-04:00 for 2026-03-04T09:00:00-05:00") // it has left the window

	u.ChangeEvent("primary", id, map[string]any{"start": local("2026-03-02T10:00:00"), "end": local("2026-03-02T10:15:00")})
	changed, token = changesSince(t, list(), token)
	if got, want := ids(changed), "cancelled "+id+"_20260303T140000Z\ncancelled "+id+"_20260304T140000Z\n"+id+"_20260303T150000Z\n"+id+"_20260304T150000Z"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	u.DeleteEvent("primary", quiet)
	changed, _ = changesSince(t, list(), token)
	if got, want := ids(changed), "cancelled "+quiet+"_20260303T170000Z\ncancelled "+quiet+"_20260304T170000Z"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSyncTokenOfLastPageMissesNoChange(t *testing.T) {
	s := googletest.New(t)
	u, events := newYorkUser(t, s)
	made := []string{}
	for range 4 {
		made = append(made, u.AddEvent("primary", newEvent("Tea", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z")))
	}
	slices.Sort(made)
	page, err := events.List("primary").MaxResults(2).Do()
	if err != nil {
		t.Fatal(err)
	}
	if page.NextSyncToken != "" || page.NextPageToken == "" || len(page.Items) != 2 {
		t.Errorf("got %d events, page %q, sync %q", len(page.Items), page.NextPageToken, page.NextSyncToken)
	}
	u.ChangeEvent("primary", made[0], `{"summary": "Coffee"}`) // on a page that was already read
	last, err := events.List("primary").MaxResults(2).PageToken(page.NextPageToken).Do()
	if err != nil {
		t.Fatal(err)
	}
	changed, _ := changesSince(t, events.List("primary"), last.NextSyncToken)
	requireEvents(t, changed, "Coffee 2026-03-02T05:00:00-05:00")
	_, err = events.List("primary").SingleEvents(true).PageToken(page.NextPageToken).Do()
	requireProblem(t, err, 400, "invalid")
}

func TestSyncTokenIsValidForItsListOnly(t *testing.T) {
	s := googletest.New(t)
	u, events := newYorkUser(t, s)
	other := u.AddCalendar(fakecalendar.Calendar{Summary: "Other"})
	_, token := changesSince(t, events.List("primary").EventTypes("default"), "")
	list := func() *calendar.EventsListCall {
		return events.List("primary").EventTypes("default").SyncToken(token)
	}
	for name, call := range map[string]*calendar.EventsListCall{
		"iCalUID":                 list().ICalUID("x@google.com"),
		"orderBy":                 list().OrderBy("updated"),
		"privateExtendedProperty": list().PrivateExtendedProperty("a=b"),
		"q":                       list().Q("tea"),
		"sharedExtendedProperty":  list().SharedExtendedProperty("a=b"),
		"timeMin":                 list().TimeMin("2026-03-02T00:00:00Z"),
		"timeMax":                 list().TimeMax("2026-03-02T00:00:00Z"),
		"updatedMin":              list().UpdatedMin("2026-03-02T00:00:00Z"),
		"showDeleted=false":       list().ShowDeleted(false),
		"other types":             list().EventTypes("focusTime"),
		"single events":           list().SingleEvents(true),
		"another calendar":        events.List(other).EventTypes("default").SyncToken(token),
		"no token":                list().SyncToken("CPDAlvWDx70CEPDAlvWDx70CGAU="),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := call.Do()
			requireProblem(t, err, 400, "invalid")
		})
	}
	if _, err := list().ShowDeleted(true).MaxResults(9).Do(); err != nil {
		t.Error(err)
	}
	ordered, err := events.List("primary").OrderBy("updated").Do()
	if err != nil || ordered.NextSyncToken != "" {
		t.Errorf("an ordered list gives the token %q, %v", ordered.NextSyncToken, err)
	}
}

func TestSyncTokensExpire(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	s := googletest.New(t, googletest.Clock(func() time.Time { return now }))
	u, events := newYorkUser(t, s)
	_, token := changesSince(t, events.List("primary"), "")
	u.ForgetCalendarChanges()
	_, err := events.List("primary").SyncToken(token).Do()
	requireProblem(t, err, 410, "fullSyncRequired")
	_, token = changesSince(t, events.List("primary"), "")
	if none, _ := changesSince(t, events.List("primary"), token); len(none) != 0 {
		t.Errorf("got %s", ids(none))
	}

	now = now.Add(30 * time.Minute)
	gone := u.AddEvent("primary", newEvent("Tea", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z"))
	u.DeleteEvent("primary", gone)
	since, err := events.List("primary").UpdatedMin("2026-03-01T09:30:00Z").Do()
	if err != nil || ids(since.Items) != "cancelled "+gone || since.NextSyncToken != "" {
		t.Errorf("got %+v, %v", since, err)
	}
	_, err = events.List("primary").UpdatedMin("2026-03-01T08:59:59Z").Do() // forgotten
	requireProblem(t, err, 410, "updatedMinTooLongAgo")
	now = now.AddDate(0, 0, 29)
	_, err = calendarOf(t, s, ada).Events.List("primary").UpdatedMin("2026-03-01T09:30:00Z").Do() // too long ago
	requireProblem(t, err, 410, "updatedMinTooLongAgo")
}

func TestSyncListOfCalendars(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	team := u.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	old := u.AddCalendar(fakecalendar.Calendar{Summary: "Old"})
	lists := calendarOf(t, s, ada).CalendarList
	first, err := lists.List().Do()
	if err != nil || len(first.Items) != 3 || first.NextSyncToken == "" {
		t.Fatalf("got %+v, %v", first, err)
	}
	if err := lists.Delete(old).Do(); err != nil {
		t.Fatal(err)
	}
	if _, err := lists.Patch(team, &calendar.CalendarListEntry{Hidden: true}).Do(); err != nil {
		t.Fatal(err)
	}
	changed, err := lists.List().SyncToken(first.NextSyncToken).Do()
	if err != nil || len(changed.Items) != 2 {
		t.Fatalf("got %+v, %v", changed, err)
	}
	for _, entry := range changed.Items {
		if entry.Deleted != (entry.Id == old) || entry.Hidden != (entry.Id == team) {
			t.Errorf("got %+v", entry)
		}
	}
	_, err = lists.List().SyncToken(changed.NextSyncToken).MinAccessRole("reader").Do()
	requireProblem(t, err, 400, "invalid")
	u.ForgetCalendarChanges()
	_, err = lists.List().SyncToken(changed.NextSyncToken).Do()
	requireProblem(t, err, 410, "fullSyncRequired")
}
