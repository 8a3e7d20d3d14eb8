package calendar_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/metadata"
)

// firstShown returns the first moment at which clocks of the zone show a time. It tries
// every quarter of an hour around it. It returns false if they never show it.
func firstShown(wall string, zone *time.Location) (time.Time, bool) {
	const form = "2006-01-02T15:04"
	utc, err := time.Parse(form, wall)
	if err != nil {
		panic(err) // the test's own time is valid
	}
	for at := utc.Add(-15 * time.Hour); at.Before(utc.Add(15 * time.Hour)); at = at.Add(15 * time.Minute) {
		if at.In(zone).Format(form) == wall {
			return at, true
		}
	}
	return time.Time{}, false
}

func TestCreateNeverChangesTheHour(t *testing.T) {
	d := amsterdamFixture(t)
	random := rand.New(rand.NewPCG(1, 2))
	nights := []struct{ zone, day string }{ // with and without clock changes
		{"Europe/Amsterdam", "2026-03-29"}, {"Europe/Amsterdam", "2026-10-25"}, {"America/New_York", "2026-03-08"}, {"America/New_York", "2026-11-01"},
		{"America/St_Johns", "2026-03-08"}, {"America/St_Johns", "2026-11-01"}, {"Australia/Lord_Howe", "2026-10-04"}, {"Australia/Lord_Howe", "2026-04-05"},
		{"Pacific/Chatham", "2026-09-27"}, {"Pacific/Chatham", "2026-04-05"}, {"Europe/Dublin", "2026-03-29"}, {"Europe/Dublin", "2026-10-25"},
		{"Africa/Casablanca", "2026-02-15"}, {"Africa/Casablanca", "2026-03-22"}, {"Pacific/Apia", "2026-07-01"}, {"Asia/Kathmandu", "2026-07-01"}, {"UTC", "2026-07-01"},
	}
	gaps, folds := 0, 0
	for range 250 {
		night := nights[random.IntN(len(nights))]
		name, zone := night.zone, location(night.zone)
		wall := fmt.Sprintf("%sT%02d:%02d", night.day, random.IntN(5), 15*random.IntN(4))
		got, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, args{"title": "a", "start": wall, "timezone": name, "on_conflict": "ignore"})
		want, shown := firstShown(wall, zone)
		if !shown {
			gaps++
			if metadata.CodeOf(err) != metadata.ValidationError {
				t.Errorf("%s in %s, which clocks skip: %+v, %v", wall, name, got, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s in %s: %v", wall, name, err)
			continue
		}
		if len(got.Notes) > 0 {
			folds++
		}
		start := d.ann.Event("primary", got.Event.ID)["start"].(map[string]any)
		stored, err := time.Parse(time.RFC3339, textField(start, "dateTime"))
		if err != nil || !stored.Equal(want) || textField(start, "timeZone") != name || got.Start != want.In(zone).Format(time.RFC3339) {
			t.Errorf("%s in %s: Google has %v, answered %s, want %s", wall, name, start, got.Start, want.In(zone))
		}
	}
	if gaps == 0 || folds == 0 {
		t.Errorf("%d gaps and %d folds: the test proves little", gaps, folds)
	}
}
