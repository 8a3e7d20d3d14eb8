package stats

import (
	"testing"
	"time"

	"kota/bundles/daily/internal/days"
	"kota/store"
)

// Today is Wednesday 18 November 2026.
func TestStatsEndTodayAtTheLatest(t *testing.T) {
	now := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	c := days.Clock{Now: func() time.Time { return now }, DayStarts: func() time.Duration { return 0 }}.At(time.UTC)
	for _, c2 := range []struct{ from, to, first, last string }{
		{"", "", "2026-10-20", "2026-11-18"}, {"this week", "", "2026-11-16", "2026-11-18"}, {"last month", "", "2026-10-01", "2026-10-31"},
		{"2026-11-01", "", "2026-11-01", "2026-11-18"}, {"2026-11-01", "2099-01-01", "2026-11-01", "2026-11-18"}, {"", "2026-11-10", "2026-10-12", "2026-11-10"},
		{"2026-11-18", "2026-11-18", "2026-11-18", "2026-11-18"}, {"2026-11-19", "", "", ""}, {"2026-11-10", "2026-11-09", "", ""},
	} {
		var p days.Problems
		got := Days(&p, c2.from, c2.to, c)
		if (p.Err() != nil) != (c2.first == "") || p.Err() == nil && (got.From != c2.first || got.To != c2.last) {
			t.Errorf("%q to %q: got %s to %s, %v", c2.from, c2.to, got.From, got.To, p.Err())
		}
	}
}

// Days before the log began are not a gap. Today is not a gap until it ends.
func TestGapsStartAtFirstEntry(t *testing.T) {
	logged := []store.DaySummary{{Date: "2026-11-10"}, {Date: "2026-11-13"}, {Date: "2026-11-14"}}
	for _, c := range []struct {
		from, to, today string
		days            int
	}{
		{"2026-11-01", "2026-11-18", "2026-11-18", 5}, {"2026-11-01", "2026-11-14", "2026-11-18", 2}, {"2026-11-11", "2026-11-12", "2026-11-18", 2},
		{"2026-11-15", "2026-11-15", "2026-11-15", 0}, {"2026-11-01", "2026-11-09", "2026-11-18", 0},
	} {
		asked := days.Span{From: c.from, To: c.to}
		if got := gapsOf(daysWithin(logged, asked), asked, "2026-11-10", c.today); got.Days != c.days {
			t.Errorf("%s to %s: got %+v, want %d days", c.from, c.to, got, c.days)
		}
	}
}
