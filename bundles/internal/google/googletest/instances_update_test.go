package googletest_test

import (
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
)

func TestChangedInstanceIsStoredAsException(t *testing.T) {
	s := googletest.New(t)
	u, events := newYorkUser(t, s)
	id := series(u, "2026-03-02T09:00:00", "2026-03-02T09:15:00", "RRULE:FREQ=WEEKLY")
	one, err := events.Get("primary", id+"_20260309T130000Z").Do()
	if err != nil {
		t.Fatal(err)
	}
	change := events.Patch("primary", one.Id, &calendar.Event{Location: "Attic"}).SendUpdates("none")
	change.Header().Set("If-Match", one.Etag)
	changed, err := change.Do()
	if err != nil {
		t.Fatal(err)
	}
	if _, err = change.Do(); err == nil || changed.Etag == one.Etag {
		t.Error("the etag stays")
	}
	u.ChangeEvent("primary", id, `{"summary": "Huddle", "location": "Cellar"}`)
	after, err := events.Get("primary", one.Id).Do()
	if err != nil {
		t.Fatal(err)
	}
	if after.Summary != "Huddle" || after.Location != "Attic" || after.Etag == changed.Etag {
		t.Errorf("got %q at %q: what it changed is its own, the rest follows", after.Summary, after.Location)
	}
	_, err = events.Patch("primary", one.Id, &calendar.Event{Recurrence: []string{"RRULE:FREQ=DAILY"}}).SendUpdates("none").Do()
	requireProblem(t, err, 400, "invalid")
	_, err = events.Patch("primary", id, &calendar.Event{Recurrence: []string{"RRULE:FREQ=HOURLY"}}).SendUpdates("none").Do()
	requireProblem(t, err, 400, "invalid")
}

func TestExceptionIsRemovedWithItsInstance(t *testing.T) {
	s := googletest.New(t)
	u, events := newYorkUser(t, s)
	id := series(u, "2026-03-02T09:00:00", "2026-03-02T09:15:00", "RRULE:FREQ=DAILY;COUNT=10")
	for _, day := range []string{"04", "06"} {
		u.ChangeEvent("primary", id+"_202603"+day+"T140000Z", `{"summary": "Other"}`)
	}
	u.ChangeEvent("primary", id, `{"recurrence": ["RRULE:FREQ=DAILY;UNTIL=20260305T135959Z"]}`)
	requireEvents(t, all(t, events.List("primary").SingleEvents(true).OrderBy("startTime")),
		"Standup 2026-03-02T09:00:00-05:00", "Standup 2026-03-03T09:00:00-05:00", "Other 2026-03-04T09:00:00-05:00")
	u.ChangeEvent("primary", id, `{"recurrence": ["RRULE:FREQ=DAILY;COUNT=5"]}`)
	if got := u.Event("primary", id+"_20260306T140000Z"); got["summary"] != "Standup" {
		t.Errorf("got %v: what was reset does not come back", got)
	}
	u.ChangeEvent("primary", id, map[string]any{"start": local("2026-03-02T10:00:00"), "end": local("2026-03-02T10:15:00")})
	if got := u.Event("primary", id+"_20260304T140000Z"); got != nil {
		t.Errorf("got %v: its original start is that of no instance", got)
	}
	if got := all(t, events.Instances("primary", id)); len(got) != 5 || got[2].Summary != "Standup" || got[2].Start.DateTime != "2026-03-04T10:00:00-05:00" {
		t.Errorf("got %s", eventLines(got))
	}
}

func TestDeletedSeriesCancelsInstances(t *testing.T) {
	s := googletest.New(t)
	u, events := newYorkUser(t, s)
	id := series(u, "2026-03-02T09:00:00", "2026-03-02T09:15:00", "RRULE:FREQ=DAILY;COUNT=4")
	u.ChangeEvent("primary", id+"_20260303T140000Z", `{"summary": "Other"}`)
	u.DeleteEvent("primary", id+"_20260304T140000Z")
	u.DeleteEvent("primary", id)
	if got := all(t, events.List("primary")); len(got) != 0 {
		t.Errorf("got %s", eventLines(got))
	}
	if got := all(t, events.List("primary").SingleEvents(true).ShowDeleted(true)); len(got) != 4 || got[0].Status != "cancelled" || got[1].Summary != "" {
		t.Errorf("got %s", eventLines(got))
	}
	requireProblem(t, events.Delete("primary", id+"_20260302T140000Z").SendUpdates("none").Do(), 410, "deleted")

	u.ChangeEvent("primary", id, `{"status": "confirmed"}`)
	requireEvents(t, all(t, events.List("primary").SingleEvents(true).OrderBy("startTime")),
		"Standup 2026-03-02T09:00:00-05:00", "Other 2026-03-03T09:00:00-05:00", "Standup 2026-03-05T09:00:00-05:00")
}
