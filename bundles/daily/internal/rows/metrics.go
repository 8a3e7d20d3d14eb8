package rows

import (
	"cmp"
	"context"
	"math"
	"slices"

	"kota/store"
)

// Facts sums up the log.
type Facts interface {
	Days(ctx context.Context, f store.EntryFilter) ([]store.DaySummary, error)
	Measures(ctx context.Context, f store.EntryFilter) ([]store.MetricSummary, error)
}

// Measure sums up mood, energy and every metric of the entries that match a filter.
func Measure(ctx context.Context, diary Facts, filter store.EntryFilter) ([]store.MetricSummary, error) {
	days, err := diary.Days(ctx, filter)
	if err != nil {
		return nil, err
	}
	metrics, err := diary.Measures(ctx, filter)
	return SummarizeDays(days, metrics), err
}

// SummarizeDays returns mood and energy summed over some days, then the metrics. It leaves out
// those without a value.
func SummarizeDays(days []store.DaySummary, metrics []store.MetricSummary) []store.MetricSummary {
	mood, energy := store.MetricSummary{Name: "mood"}, store.MetricSummary{Name: "energy"}
	for _, day := range days {
		mood.Summary, energy.Summary = mood.Merge(day.Mood), energy.Merge(day.Energy)
		mood.Days, energy.Days = mood.Days+min(1, day.Mood.Count), energy.Days+min(1, day.Energy.Count)
	}
	all := append([]store.MetricSummary{mood, energy}, metrics...)
	return slices.DeleteFunc(all, func(m store.MetricSummary) bool { return m.Count == 0 })
}

// Round rounds to two decimals. More digits only cost tokens.
func Round(x float64) float64 { return math.Round(x*100) / 100 }

// SortByDays sorts metrics by their number of days, the highest first.
func SortByDays(metrics []store.MetricSummary) []store.MetricSummary {
	slices.SortStableFunc(metrics, func(a, b store.MetricSummary) int { return cmp.Compare(b.Days, a.Days) })
	return metrics
}
