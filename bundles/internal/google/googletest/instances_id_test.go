package googletest_test

import (
	"strings"
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
)

func TestAnIdTellsNothing(t *testing.T) {
	s := googletest.New(t, googletest.OpaqueIDs())
	u, events := newYorker(t, s)
	id := series(u, "2026-03-02T09:00:00", "2026-03-02T09:15:00", "RRULE:FREQ=DAILY")
	_, err := events.Get("primary", id+"_20260303T140000Z").Do()
	refused(t, err, 404, "notFound")
	found := all(t, events.Instances("primary", id).OriginalStart("2026-03-03T14:00:00Z"))
	mustTell(t, found, "Standup 2026-03-03T09:00:00-05:00")
	if err := events.Delete("primary", found[0].Id).SendUpdates("none").Do(); err != nil {
		t.Fatal(err)
	}
	if left := all(t, events.Instances("primary", id).TimeMax("2026-03-05T00:00:00Z")); len(left) != 2 {
		t.Errorf("got %s", told(left))
	}
}

func TestAnImportedSeriesHasAnUnderscoreOfItsOwn(t *testing.T) {
	s := googletest.New(t)
	_, events := newYorker(t, s)
	made, err := events.Import("primary", &calendar.Event{
		ICalUID: "yoga@elsewhere.example", Summary: "Yoga", Start: local("2026-03-02T09:00:00"), End: local("2026-03-02T10:00:00"),
		Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=2"},
	}).Do()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(made.Id, "_") {
		t.Errorf("got %s", made.Id)
	}
	one, err := events.Get("primary", made.Id+"_20260303T140000Z").Do()
	if err != nil || one.RecurringEventId != made.Id {
		t.Errorf("got %+v, %v", one, err)
	}
}
