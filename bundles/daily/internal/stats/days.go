package stats

import (
	"context"
	"slices"

	"kota/bundles/daily/internal/days"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

type streaksOut struct {
	Current       run  `json:"current"` // 0 days if there is no current streak
	Longest       run  `json:"longest"`
	FilledCurrent *run `json:"filled_current,omitempty"` // with back-filled days, if that makes a difference
	FilledLongest *run `json:"filled_longest,omitempty"`
}

// A run is a number of consecutive days.
type run struct {
	Days int    `json:"days"`
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

type gapsOut struct {
	Days int   `json:"days"` // without any entry
	Runs []run `json:"runs"` // the latest is the last
	More int   `json:"more,omitempty"`
}

type earlierYear struct {
	Date string `json:"date"`
	ID   string `json:"id"`
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
	Mood int    `json:"mood,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

// Limits on what statistics list.
const (
	maxGaps     = 10
	maxYears    = 5
	maxYearText = 100 // characters
)

// daysWithin returns the days inside a span.
func daysWithin(days []store.DaySummary, s days.Span) []store.DaySummary {
	return slices.DeleteFunc(slices.Clone(days), func(day store.DaySummary) bool { return day.Date < s.From || day.Date > s.To })
}

func streaksOf(all []store.DaySummary, today string) *streaksOut {
	found := store.FindStreaks(all, today)
	out := &streaksOut{Current: runOf(found.Current), Longest: runOf(found.Longest)}
	if found.CurrentWithBackfill != found.Current {
		out.FilledCurrent = new(runOf(found.CurrentWithBackfill))
	}
	if found.LongestWithBackfill != found.Longest {
		out.FilledLongest = new(runOf(found.LongestWithBackfill))
	}
	return out
}

func runOf(r store.DaySpan) run { return run{r.Days, r.From, r.To} }

// gapsOf returns the requested days without an entry, not before the log began. It skips
// today, which may still get an entry.
func gapsOf(facts []store.DaySummary, asked days.Span, began, today string) *gapsOut {
	until := asked.To
	if until == today {
		until = days.AddDays(today, -1)
	}
	out := &gapsOut{Runs: []run{}}
	for _, gap := range store.FindGaps(facts, max(asked.From, began), until) {
		out.Days += gap.Days
		out.Runs = append(out.Runs, runOf(gap))
	}
	if out.More = max(0, len(out.Runs)-maxGaps); out.More > 0 {
		out.Runs = out.Runs[out.More:]
	}
	return out
}

// otherYears returns the entries of the same day in other years.
func otherYears(ctx context.Context, entries []*store.DayEntry) []earlierYear {
	var out []earlierYear
	for _, e := range entries {
		out = append(out, earlierYear{Date: e.Date, ID: e.ID, Type: e.Type, Text: htmltext.Short(e.Text, maxYearText), Mood: e.Mood, Provenance: untrusted.MarkDiary(ctx, e.Source)})
	}
	return out
}
