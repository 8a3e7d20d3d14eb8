package main

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wcharczuk/go-chart/v2"

	"kota/store"
)

// figures are days with one value each.
func figures(values map[string]float64, dates ...string) []store.PeriodFigure {
	days := []store.PeriodFigure{}
	for _, date := range dates {
		v := values[date]
		days = append(days, store.PeriodFigure{Period: date, Figure: store.Figure{Count: 1, Sum: v, Min: v, Max: v}})
	}
	return days
}

func TestNoLineLeadsOverADayWithoutAValue(t *testing.T) {
	lengths := []int{}
	for _, line := range runs(figures(nil, "2026-02-27", "2026-02-28", "2026-03-01", "2026-03-03", "2026-10-24", "2026-10-25", "2026-10-26")) {
		lengths = append(lengths, len(line.(chart.TimeSeries).XValues))
	}
	if want := []int{3, 1, 3}; !cmp.Equal(lengths, want) {
		t.Errorf("the lines have %v days, want %v", lengths, want)
	}
}

func TestEveryMetricCanBeDrawn(t *testing.T) {
	for name, days := range map[string][]store.PeriodFigure{
		"one day":       figures(map[string]float64{"2026-11-20": 3}, "2026-11-20"),
		"always nought": figures(nil, "2026-11-20", "2026-11-21"),
		"the largest":   figures(map[string]float64{"2026-11-20": -1e300, "2026-11-21": 1e300}, "2026-11-20", "2026-11-21"),
		"the smallest":  figures(map[string]float64{"2026-11-20": 5e-324}, "2026-11-20", "2026-11-21"),
		"years apart":   figures(map[string]float64{"1990-01-01": 2}, "1990-01-01", "2026-11-21"),
	} {
		for format, renderer := range map[string]chart.RendererProvider{"svg": chart.SVG, "png": chart.PNG} {
			var out bytes.Buffer
			graph := drawn("km", days)
			if err := graph.Render(renderer, &out); err != nil || out.Len() < 1000 {
				t.Errorf("%s as %s: %d bytes, %v", name, format, out.Len(), err)
			}
		}
	}
}
