package googletest_test

import (
	"maps"
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

func TestChangeByUserChangesEtag(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	u.SetZone("Europe/Amsterdam")
	id := u.AddEvent("primary", `{"summary": "Tea", "start": {"dateTime": "2026-03-02T10:00:00", "timeZone": "Europe/Amsterdam"}, "end": {"dateTime": "2026-03-02T10:30:00Z"}}`)
	events := calendarOf(t, s, ada).Events
	before, err := events.Get("primary", id).Do()
	if err != nil {
		t.Fatal(err)
	}
	if before.Start.DateTime != "2026-03-02T10:00:00+01:00" || before.End.DateTime != "2026-03-02T11:30:00+01:00" {
		t.Errorf("got %s to %s", before.Start.DateTime, before.End.DateTime)
	}
	u.ChangeEvent("primary", id, map[string]any{"summary": "Coffee"})
	after := u.Event("primary", id)
	if after["etag"] == before.Etag || after["summary"] != "Coffee" {
		t.Errorf("got %v", after)
	}
	if u.DeleteEvent("primary", id); len(u.Events("primary")) != 0 {
		t.Errorf("got %v", u.Events("primary"))
	}
}

func TestSharedCalendarIsVisibleToOthers(t *testing.T) {
	s := googletest.New(t)
	team := s.User(ada).AddCalendar(fakecalendar.Calendar{Summary: "Team", Zone: "America/New_York"})
	lists := calendarOf(t, s, "bob@example.com").CalendarList
	_, err := lists.Get(team).Do()
	requireProblem(t, err, 404, "notFound")

	s.User(ada).ShareCalendar(team, "bob@example.com", "reader")
	seen, err := lists.List().MinAccessRole("reader").Do()
	if err != nil {
		t.Fatal(err)
	}
	if len(seen.Items) != 2 || seen.Items[0].Id != team || seen.Items[0].AccessRole != "reader" || !seen.Items[1].Primary {
		t.Errorf("got %+v", seen.Items)
	}
	s.User("bob@example.com").AddEvent(team, `{"summary": "Fair", "start": {"date": "2026-03-02"}, "end": {"date": "2026-03-03"}}`)
	if written := s.User(ada).Events(team); len(written) != 1 || written[0]["creator"].(map[string]any)["email"] != ada {
		t.Errorf("got %v", written)
	}
	_, err = calendarOf(t, s, "bob@example.com").Events.Insert(team, newEvent("Mine", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z")).Do()
	requireProblem(t, err, 403, "requiredAccessLevel")
}

func TestWriterCanListCalendarRules(t *testing.T) {
	s := googletest.New(t)
	team := s.User(ada).AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	s.User(ada).ShareCalendar(team, "bob@example.com", "writer")
	s.User(ada).ShareCalendar(team, "eve@example.net", "reader")
	s.User(ada).GrantRole(team, "domain:example.org", "freeBusyReader")
	s.User(ada).GrantRole(team, "default", "freeBusyReader")
	got := map[string]string{}
	page := calendarOf(t, s, "bob@example.com").Acl.List(team).MaxResults(2)
	err := page.Pages(t.Context(), func(page *calendar.Acl) error {
		for _, rule := range page.Items {
			got[rule.Scope.Type+" "+rule.Scope.Value] = rule.Role
		}
		return nil
	})
	want := map[string]string{
		"user " + ada: "owner", "user " + team: "owner", "user bob@example.com": "writer", "user eve@example.net": "reader",
		"domain example.org": "freeBusyReader", "default ": "freeBusyReader",
	}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v %v", got, err)
	}
	_, err = calendarOf(t, s, "eve@example.net").Acl.List(team).Do()
	requireProblem(t, err, 403, "requiredAccessLevel")
	_, err = calendarOf(t, s, ada, "calendar.readonly").Acl.List(team).Do()
	requireProblem(t, err, 403, "insufficientPermissions")
	if seen, err := calendarOf(t, s, "dan@example.org").Calendars.Get(team).Do(); err != nil || seen.DataOwner != ada {
		t.Errorf("got %+v %v", seen, err)
	}
}
