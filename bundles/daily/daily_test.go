package daily_test

import (
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
)

func TestTheBundleKeepsTheContract(t *testing.T) {
	var d *fixture
	bundletest.Run(t, bundletest.Case{
		New: func(t *testing.T) bundles.Bundle {
			d = newFixture(t)
			return d.bundle
		},
		Seed: func(t *testing.T, b bundles.Bundle) {
			bundletest.Must[logAnswer](t, b, "daily_log", args{"text": "Slept", "metrics": args{"sleep_hours": 7}})
		},
		ConcurrentChanges: concurrentChanges(&d),
		Others:            []string{"memory", "calendar", "gmail"},
	})
}

func TestTimeBeforeDayStartBelongsToDayBefore(t *testing.T) {
	type answer struct{ Date, Why string }
	for name, c := range map[string]struct {
		at     string
		starts time.Duration
		want   answer
	}{
		"at noon":                       {"2026-11-21T12:00:00", 4 * time.Hour, answer{"2026-11-21", ""}},
		"at two in the night":           {"2026-11-21T02:10:00", 4 * time.Hour, answer{"2026-11-20", "02:10, the day starts at 04:00"}},
		"when it starts":                {"2026-11-21T04:00:00", 4 * time.Hour, answer{"2026-11-21", ""}},
		"a day that starts at midnight": {"2026-11-21T00:00:00", 0, answer{"2026-11-21", ""}},
		"a day that starts at noon":     {"2026-11-21T11:59:00", 12 * time.Hour, answer{"2026-11-20", "11:59, the day starts at 12:00"}},
		"the last day of February":      {"2028-03-01T01:00:00", 4 * time.Hour, answer{"2028-02-29", "01:00, the day starts at 04:00"}},
		"the night clocks go forward":   {"2026-03-29T03:30:00", 4 * time.Hour, answer{"2026-03-28", "03:30, the day starts at 04:00"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			at, err := time.ParseInLocation("2006-01-02T15:04:05", c.at, d.zone)
			if err != nil {
				t.Fatal(err)
			}
			d.now, d.dayStarts = at, c.starts
			if got := bundletest.Must[answer](t, d.bundle, "daily_log", args{"text": "x"}); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
