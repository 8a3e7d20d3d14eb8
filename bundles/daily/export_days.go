package daily

import (
	"context"

	"kota/bundles/daily/export"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/store"
)

// ParseSelection reads the bounds of a span: dates, or words such as "last month". Words for
// several days mean their first day in from, and their last day in to. An empty bound is open.
// The error is a *metadata.Error with VALIDATION_ERROR.
func ParseSelection(deps Deps, from, to string) (export.Selection, error) {
	var p days.Problems
	span := p.Bounds(from, to, clockOf(deps).At(deps.Zone()))
	return export.Selection{From: span.From, To: span.To}, p.Err()
}

// A Series is a metric day by day.
type Series struct {
	Days  []store.PeriodSummary // the days with a value, in order
	Names []string              // every metric of these days, with mood and energy
}

// Measure returns a metric day by day. It returns store.ErrInvalid if no metric can have
// that name or a date does not exist.
func Measure(ctx context.Context, diary Figures, metric string, s export.Selection) (Series, error) {
	filter := store.EntryFilter{From: s.From, To: s.To}
	days, err := diary.Measure(ctx, metric, filter)
	if err != nil {
		return Series{}, err
	}
	all, err := rows.Measure(ctx, diary, filter)
	if err != nil {
		return Series{}, err
	}
	series := Series{Days: days}
	for _, one := range all {
		series.Names = append(series.Names, one.Name)
	}
	return series, nil
}
