package daily_test

import (
	"testing"

	"kota/bundles/bundletest"
)

// An answer with default days says so, and says how to choose other days.
func TestAnswerNamesDefaultDays(t *testing.T) {
	for action, c := range map[string]struct {
		note string
		says []args // calls that name their days or need none
	}{
		"daily_get":   {`This is only today; use "date", or "from" and "to", for other days.`, []args{{"date": "today"}, {"from": "2026-11-20"}, {"to": "2026-11-20"}}},
		"daily_stats": {`These are the default 30 days; use "from" for others.`, []args{{"from": "last month"}, {"from": "2026-11-01", "to": "2026-11-10"}}},
		"daily_task":  {`done and dropped are only today's; use "date" for another day, a week or a month.`, []args{{"date": "this week"}, {"op": "add", "text": "Buy milk"}}},
	} {
		d := newFixture(t)
		type noted struct{ Note string }
		if got := bundletest.Must[noted](t, d.bundle, action, args{}); got.Note != c.note {
			t.Errorf("%s: %q, want %q", action, got.Note, c.note)
		}
		for _, asked := range c.says {
			if got := bundletest.Must[noted](t, d.bundle, action, asked); got.Note != "" {
				t.Errorf("%s %v: %q", action, asked, got.Note)
			}
		}
	}
	d := newFixture(t)
	got := bundletest.Must[struct{ Note string }](t, d.bundle, "daily_stats", args{"metric": "sleep"})
	if want := `No entry of these days has sleep. They have no metrics. These are the default 30 days; use "from" for others.`; got.Note != want {
		t.Errorf("got %q", got.Note)
	}
}
