// Package chart draws the daily values of a diary metric as SVG or PNG. Begin
// with FormatOf.
//
// It uses go-chart, which draws both formats in plain Go and brings two small
// modules. Its last release is from 2024, and the parts that KOTA uses are
// complete. gonum/plot is released more often, but brings PDF, TeX and a dozen
// modules.
package chart

import (
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/wcharczuk/go-chart/v2"

	"kota/cmd/kota/internal/mistake"
	"kota/store"
)

// Format is the file format of a chart.
type Format struct{ renderer chart.RendererProvider }

// FormatOf returns the format for the extension of a file name. It returns a
// usage error unless the extension is .svg or .png.
func FormatOf(file string) (Format, error) {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".svg":
		return Format{chart.SVG}, nil
	case ".png":
		return Format{chart.PNG}, nil
	}
	return Format{}, mistake.Errorf("%s ends neither in .svg nor in .png", file)
}

// Draw writes a chart of the daily means to w. There must be at least one day.
func (f Format) Draw(w io.Writer, metric string, days []store.PeriodSummary) error {
	graph := chart.Chart{
		Title:  metric,
		Width:  1024,
		Height: 480,
		Background: chart.Style{
			Padding: chart.Box{Top: 50, Left: 20, Right: 20, Bottom: 20},
		},
		XAxis:  chart.XAxis{Ticks: dateAxis(days)},
		YAxis:  chart.YAxis{Ticks: valueAxis(metric, days)},
		Series: lineSegments(days),
	}
	return graph.Render(f.renderer, w)
}

// lineSegments returns the lines of a chart. A line ends before a day without a
// value, and another begins after it.
func lineSegments(days []store.PeriodSummary) []chart.Series {
	style := chart.Style{StrokeColor: chart.ColorBlue, StrokeWidth: 2, DotColor: chart.ColorBlue, DotWidth: 3}
	lines := []chart.Series{}
	for from := 0; from < len(days); {
		line := chart.TimeSeries{Style: style}
		at := from
		for ; at < len(days) && dayOf(days[at]).Equal(dayOf(days[from]).AddDate(0, 0, at-from)); at++ {
			line.XValues, line.YValues = append(line.XValues, dayOf(days[at])), append(line.YValues, days[at].Mean())
		}
		lines, from = append(lines, line), at
	}
	return lines
}

// dayOf returns the position of a day on the axis. The store holds only valid
// dates.
func dayOf(day store.PeriodSummary) time.Time {
	at, _ := time.Parse(time.DateOnly, day.Period)
	return at
}
