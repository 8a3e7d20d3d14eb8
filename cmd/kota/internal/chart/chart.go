package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wcharczuk/go-chart/v2"

	"kota/bundles/daily"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/safefile"
	"kota/store"
)

func newDailyChart(a *cli) *cobra.Command {
	var span spanFlags
	cmd := &cobra.Command{
		Use:   "chart METRIC FILE.svg | FILE.png",
		Short: "Draw a metric over the days",
		Long: `Draw a metric of the diary over the days, with a point for the mean of each day
and a line through days that follow each other. METRIC is mood, energy or a
metric that was logged; of one that is true or false the mean is the share of
true. FILE must not exist; its ending says what is drawn.`,
		Example: "  kota daily chart mood mood.svg\n  kota daily chart sleep_hours sleep.png --from \"last month\"",
		Args:    exactly(2, "a metric and a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			metric, file := args[0], args[1]
			renderer, err := rendererOf(file)
			if err != nil {
				return err
			}
			if _, err := store.Name(metric); err != nil {
				return mistake.Errorf("%q is no name of a metric, such as mood or sleep_hours", metric)
			}
			db, days, err := span.open(cmd, a)
			if err != nil {
				return err
			}
			series, err := daily.Measure(cmd.Context(), db.Diary(app.Owner), metric, days)
			if err != nil {
				return err
			}
			if len(series.Days) == 0 {
				return noValues(metric, series.Names)
			}
			graph := drawn(metric, series.Days)
			if err := safefile.Create(file, func(w io.Writer) error { return graph.Render(renderer, w) }); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "Drew %s to %s, days with a value: %d.\n", metric, file, len(series.Days))
			return err
		},
	}
	span.of(cmd)
	return cmd
}

func rendererOf(file string) (chart.RendererProvider, error) {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".svg":
		return chart.SVG, nil
	case ".png":
		return chart.PNG, nil
	}
	return nil, mistake.Errorf("%s ends neither in .svg nor in .png", file)
}

func noValues(metric string, names []string) error {
	if len(names) == 0 {
		return errors.New("no metric is logged on these days: nothing was drawn")
	}
	return fmt.Errorf("%q is not logged on these days: nothing was drawn; there are %s", metric, strings.Join(names, ", "))
}

// drawn is a chart of the means of days. go-chart draws both formats in plain Go
// and brings two small modules; its last release is of 2024, and what it is used
// for here is finished. gonum/plot is released more often, and brings PDF, TeX and
// a dozen modules.
func drawn(metric string, days []store.PeriodFigure) chart.Chart {
	return chart.Chart{
		Title:  metric,
		Width:  1024,
		Height: 480,
		Background: chart.Style{
			Padding: chart.Box{Top: 50, Left: 20, Right: 20, Bottom: 20},
		},
		XAxis:  chart.XAxis{Ticks: dateAxis(days)},
		YAxis:  chart.YAxis{Ticks: valueAxis(metric, days)},
		Series: runs(days),
	}
}

// runs are the lines of a chart: none leads over a day without a value.
func runs(days []store.PeriodFigure) []chart.Series {
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

// dayOf is where a day stands on the axis. The store knows dates alone.
func dayOf(day store.PeriodFigure) time.Time {
	at, _ := time.Parse(time.DateOnly, day.Period)
	return at
}
