package daily

import (
	"context"

	"kota/bundles/daily/export"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/store"
)

// Between reads the bounds of a span as the tools do: dates, or words such as
// "last month", of which the first is to give its first day and the second its
// last. "" is no bound. The error is a *metadata.Error with VALIDATION_ERROR.
func Between(deps Deps, from, to string) (export.Selection, error) {
	var p days.Problems
	span := p.Bounds(from, to, clockOf(deps).At(deps.Zone()))
	return export.Selection{From: span.From, To: span.To}, p.Err()
}

// A Series is a metric over days.
type Series struct {
	Days  []store.PeriodFigure // those that have it, in order
	Names []string             // every metric that the days have, mood and energy among them
}

// Measure returns a metric day by day. It returns store.ErrInvalid for a name
// that no metric can have, and for a date that there is not.
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
