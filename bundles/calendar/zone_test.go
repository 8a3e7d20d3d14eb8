package calendar_test

import (
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/calendar"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

func TestTimeWithoutZoneUsesUsersZone(t *testing.T) {
	d := newFixture(t)
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Tokyo office", Zone: "Asia/Tokyo"})
	made, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, args{"title": "Tea", "start": "2026-11-24T09:00", "calendar": "Tokyo office"})
	if err != nil || made.Start != "2026-11-24T09:00:00+01:00" || made.Zone != zone.String() {
		t.Errorf("made %+v, %v", made, err)
	}
	type listing struct {
		Timezone string
		Events   []struct{ When string }
	}
	got, err := bundletest.Answer[listing](t, d.bundle, "calendar_list_events", args{"from": "2026-11-24", "calendars": []string{"Tokyo office"}})
	if err != nil || got.Timezone != zone.String() || len(got.Events) != 1 || got.Events[0].When != "Tue 2026-11-24 09:00–10:00 +01:00" {
		t.Errorf("listed %+v, %v", got, err)
	}
}

func TestOtherAccountUsesUsersZone(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, calendar.Account{Name: "work", Address: "ann@example.org"})
	d.google.User("ann@example.org").SetZone("Asia/Tokyo")
	got, err := bundletest.Answer[struct{ Timezone string }](t, d.bundle, "calendar_list_events", args{"account": "work"})
	if err != nil || got.Timezone != zone.String() {
		t.Errorf("got %+v, %v", got, err)
	}
}
