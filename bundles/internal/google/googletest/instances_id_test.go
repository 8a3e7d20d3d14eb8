package googletest_test

import (
	"strings"
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
)

func TestImportedSeriesIDMayHaveUnderscore(t *testing.T) {
	s := googletest.New(t)
	_, events := newYorkUser(t, s)
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
