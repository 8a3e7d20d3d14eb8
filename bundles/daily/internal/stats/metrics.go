package stats

import (
	"context"
	"slices"
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// A trend compares a metric over some days with the same number of days before them.
type trend struct {
	Name   string   `json:"name"`
	Mean   float64  `json:"mean"`
	Before *float64 `json:"before,omitempty"` // mean of the days before; absent if they have no value
	Change *float64 `json:"change,omitempty"` // mean minus before
	PerDay *float64 `json:"a_day,omitempty"`  // mean of the daily sums, if a day has several values; never of mood, energy or a boolean
	Min    float64  `json:"min"`
	Max    float64  `json:"max"`
	Days   int      `json:"days"` // number of days with a value

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of the name
}

// Limits on what statistics list.
const (
	maxTypes  = 12
	maxTrends = 20
	maxPoints = 60
)

// suggestedTypes returns the entry types that KOTA suggests.
func suggestedTypes() []string {
	return []string{"note", "journal", "food", "drink", "snack", "supplement", "activity", "training", "health"}
}

// trends compares the metrics of two periods. more is the number of metrics beyond
// maxTrends.
func trends(ctx context.Context, now, then []store.MetricSummary) (out []trend, more int) {
	out = []trend{}
	for i, one := range now {
		if i == maxTrends {
			return out, len(now) - i
		}
		out = append(out, trendOf(ctx, one, then))
	}
	return out, 0
}

func trendOf(ctx context.Context, now store.MetricSummary, then []store.MetricSummary) trend {
	t := trend{Name: now.Name, Mean: rows.Round(now.Mean()), Min: rows.Round(now.Min), Max: rows.Round(now.Max), Days: now.Days, Provenance: untrusted.MarkDiary(ctx, now.Source)}
	if now.Count > now.Days && !now.IsBool && now.Name != "mood" && now.Name != "energy" {
		t.PerDay = new(rows.Round(now.Sum / float64(now.Days)))
	}
	if i := slices.IndexFunc(then, func(m store.MetricSummary) bool { return m.Name == now.Name }); i >= 0 {
		t.Before, t.Change = new(rows.Round(then[i].Mean())), new(rows.Round(now.Mean()-then[i].Mean()))
	}
	return t
}

// A timeSeries is a metric over time, point by point.
type timeSeries struct {
	Per    string  `json:"per" enum:"day,week,month"`
	Points []point `json:"points"`
	More   int     `json:"more,omitempty"` // number of earlier points that are left out
}

type point struct {
	Period string  `json:"of"` // "2026-11-20", "2026-W47" or "2026-11"
	Mean   float64 `json:"mean"`
	Sum    float64 `json:"sum,omitempty"` // if the point has several numbers
	Count  int     `json:"count"`
}

// addTimeSeries adds one metric and its time series to the answer, or a note if
// these days have no value of the metric.
func (out *Answer) addTimeSeries(ctx context.Context, diary Diary, asked days.Span, metric string, now, then []store.MetricSummary) error {
	out.Metrics = []trend{}
	i := slices.IndexFunc(now, func(m store.MetricSummary) bool { return m.Name == metric })
	if i < 0 {
		instead, sources := availableMetrics(metric, now)
		out.Note = "No entry of these days has " + metric + "." + instead
		out.setProvenance(ctx, sources)
		return nil
	}
	out.Metrics = append(out.Metrics, trendOf(ctx, now[i], then))
	points, err := diary.Measure(ctx, metric, store.EntryFilter{From: asked.From, To: asked.To})
	if err != nil {
		return err
	}
	c := &timeSeries{Per: "day", Points: []point{}}
	switch {
	case out.Days > 184:
		c.Per, points = "month", store.GroupByMonth(points)
	case out.Days > 31:
		c.Per, points = "week", store.GroupByWeek(points)
	}
	if c.More = max(0, len(points)-maxPoints); c.More > 0 {
		points = points[c.More:]
	}
	for _, one := range points {
		p := point{Period: one.Period, Mean: rows.Round(one.Mean()), Count: one.Count}
		if one.Count > 1 && !now[i].IsBool {
			p.Sum = rows.Round(one.Sum)
		}
		c.Points = append(c.Points, p)
	}
	out.TimeSeries = c
	return nil
}

// availableMetrics names at most three metrics with similar names. If no name is similar,
// it names at most maxTrends metrics that have values. sources are the sources of all
// metrics.
func availableMetrics(metric string, now []store.MetricSummary) (text string, sources []string) {
	var names []string
	for _, m := range now {
		names, sources = append(names, m.Name), append(sources, m.Source)
	}
	if near := metadata.Nearest(metric, names, 3); len(near) > 0 {
		names = near
	}
	if len(names) == 0 {
		return " They have no metrics.", nil
	}
	return " Logged metrics: " + strings.Join(names[:min(len(names), maxTrends)], ", ") + ".", sources
}
