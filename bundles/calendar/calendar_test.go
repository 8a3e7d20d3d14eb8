package calendar_test

import (
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
)

// TestTheBundleKeepsTheContract runs every example on empty calendars, and on calendars
// that contain the events of the example.
func TestTheBundleKeepsTheContract(t *testing.T) {
	var d *fixture
	bundletest.Run(t, bundletest.Case{
		New: func(t *testing.T) bundles.Bundle {
			d = newFixture(t)
			return d.bundle
		},
		Seed:              func(t *testing.T, _ bundles.Bundle) { seed(t, d) },
		ConcurrentChanges: concurrentChanges(&d),
		Others:            []string{"gmail", "daily"},
	})
}

// seed adds the events of all examples to the calendars.
func seed(t *testing.T, d *fixture) {
	t.Helper()
	seedChanges(d)
	seedInvitation(d)
	seedReads(d)
}

func TestListCalendarsShowsZones(t *testing.T) {
	d := newFixture(t)
	type answer struct {
		Calendars []struct {
			ID      string `json:"calendar"`
			Zone    string `json:"timezone"`
			Access  string `json:"access"`
			Primary bool   `json:"primary"`
		} `json:"calendars"`
	}
	got := bundletest.Must[answer](t, d.bundle, "calendar_list_calendars", args{})
	if len(got.Calendars) != 1 || got.Calendars[0].ID != ann || !got.Calendars[0].Primary || got.Calendars[0].Access != "owner" || got.Calendars[0].Zone == "" {
		t.Errorf("got %+v", got)
	}
}
