package daily_test

import (
	"testing"

	"kota/bundles/bundletest"
	"kota/metadata"
)

func TestUnknownTypeSuggestsOwnTypesFirst(t *testing.T) {
	d := newFixture(t)
	for _, c := range []struct{ tool, said, want string }{
		{"daily_review", "week", "week_review"}, {"daily_review", "day", "day_review"}, {"daily_plan", "week", "week_plan"}, {"daily_plan", "Day", "day_plan"},
		{"daily_review", "month", "month_review"}, {"daily_review", "weekly_review", "week_review"}, {"daily_review", "decision", "decision_record"}, {"daily_plan", "xyzzy", ""},
	} {
		_, err := bundletest.Answer[map[string]any](t, d.bundle, c.tool, args{"type": c.said})
		wrong, ok := err.(*metadata.Error)
		if !ok || len(wrong.Problems) != 1 || wrong.Problems[0].Suggestion != c.want {
			t.Errorf("%s %q: got %+v, want %q suggested", c.tool, c.said, err, c.want)
		}
	}
}
