package document

import (
	"testing"
	"time"

	"kota/bundles/daily/internal/days"
	"kota/bundles/staged"
	"kota/metadata"
)

// Today is Wednesday 18 November 2026.
func documents() Documents {
	now := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	return Documents{Clock: days.Clock{
		Now: func() time.Time { return now }, Zone: func() *time.Location { return time.UTC }, DayStarts: func() time.Duration { return 4 * time.Hour },
	}}
}

func TestNormalizeChoosesTypeAndPeriod(t *testing.T) {
	plan, review := []string{"day_plan", "week_plan"}, []string{"day_review", "week_review", "month_review"}
	for _, c := range []struct {
		first                         []string
		kind, period                  string
		wantKind, wantPeriod, refused string
	}{
		{plan, "", "", "", "", ""},
		{plan, "", "tomorrow", "day_plan", "2026-11-19", ""},
		{plan, "", "friday", "day_plan", "2026-11-20", ""},
		{review, "", "friday", "day_review", "2026-11-13", ""},
		{plan, "", "next week", "week_plan", "2026-W48", ""},
		{plan, "", "2026-11", "", "2026-11", ""}, // plans have no month
		{review, "", "last month", "month_review", "2026-10", ""},
		{plan, "week_plan", "2026-11-20", "week_plan", "2026-W47", ""},
		{plan, "week_plan", "", "week_plan", "2026-W47", ""},
		{plan, "week_plan", "next", "week_plan", "2026-W48", ""},
		{plan, "day_plan", "2026-W47", "", "", "period"},
		{review, "day_review", "tomorrow", "", "", "period"},
		{plan, "day_plan", "soon", "", "", "period"},
		{plan, "day_plan", "2026-02-30", "", "", "period"},
		{plan, "meeting_notes", "Roof", "meeting_notes", "2026-11-18", ""},
		{plan, "meeting_notes", "2026-02-30", "", "", "period"}, // it looks like a date
		{plan, "trip_report", "yesterday", "trip_report", "2026-11-17", ""},
	} {
		doc := staged.Document{Type: c.kind, Period: c.period}
		err := documents().Normalize(&doc, c.first)
		if (metadata.CodeOf(err) == metadata.ValidationError) != (c.refused != "") || (err != nil) != (c.refused != "") {
			t.Errorf("%q of %q: got %v", c.kind, c.period, err)
			continue
		}
		if err == nil && (doc.Type != c.wantKind || doc.Period != c.wantPeriod) {
			t.Errorf("%q of %q: got %q of %q, want %q of %q", c.kind, c.period, doc.Type, doc.Period, c.wantKind, c.wantPeriod)
		}
	}
	about := staged.Document{Type: "meeting_notes", Period: "The\nroof"}
	if err := documents().Normalize(&about, plan); err != nil || about.Title != "The roof" {
		t.Errorf("what is no period is what it is about: got %+v, %v", about, err)
	}
}
