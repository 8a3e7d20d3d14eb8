package chart

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wcharczuk/go-chart/v2"

	"kota/store"
)

// dailyFigures returns days with one value each.
func dailyFigures(values map[string]float64, dates ...string) []store.PeriodSummary {
	days := []store.PeriodSummary{}
	for _, date := range dates {
		v := values[date]
		days = append(days, store.PeriodSummary{Period: date, Summary: store.Summary{Count: 1, Sum: v, Min: v, Max: v}})
	}
	return days
}

func TestLineBreaksAtDayWithoutValue(t *testing.T) {
	lengths := []int{}
	for _, line := range lineSegments(dailyFigures(nil, "2026-02-27", "2026-02-28", "2026-03-01", "2026-03-03", "2026-10-24", "2026-10-25", "2026-10-26")) {
		lengths = append(lengths, len(line.(chart.TimeSeries).XValues))
	}
	if want := []int{3, 1, 3}; !cmp.Equal(lengths, want) {
		t.Errorf("the lines have %v days, want %v", lengths, want)
	}
}

func TestEveryMetricCanBeDrawn(t *testing.T) {
	for name, days := range map[string][]store.PeriodSummary{
		"one day":       dailyFigures(map[string]float64{"2026-11-20": 3}, "2026-11-20"),
		"always nought": dailyFigures(nil, "2026-11-20", "2026-11-21"),
		"the largest":   dailyFigures(map[string]float64{"2026-11-20": -store.MaxMetric, "2026-11-21": store.MaxMetric}, "2026-11-20", "2026-11-21"),
		"the smallest":  dailyFigures(map[string]float64{"2026-11-20": 5e-324}, "2026-11-20", "2026-11-21"),
		"years apart":   dailyFigures(map[string]float64{"1990-01-01": 2}, "1990-01-01", "2026-11-21"),
	} {
		for _, file := range []string{"km.svg", "km.PNG"} {
			var out bytes.Buffer
			format, err := FormatOf(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := format.Draw(&out, "km", days); err != nil || out.Len() < 1000 {
				t.Errorf("%s as %s: %d bytes, %v", name, file, out.Len(), err)
			}
		}
	}
}

func TestAxesShowRoundValuesAndDays(t *testing.T) {
	labels := func(ticks []chart.Tick) (output []string) {
		for _, tick := range ticks {
			output = append(output, tick.Label)
		}
		return output
	}
	values := map[string]float64{"2026-11-17": 1.2, "2026-11-20": 4.3}
	days := dailyFigures(values, "2026-11-17", "2026-11-20")
	for metric, want := range map[string][]string{
		"mood": {"1", "2", "3", "4", "5"},
		"km":   {"1", "1.5", "2", "2.5", "3", "3.5", "4", "4.5"},
	} {
		if got := labels(valueAxis(metric, days)); !cmp.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", metric, got, want)
		}
	}
	if got, want := labels(dateAxis(days)), []string{"", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", ""}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	year := labels(dateAxis(dailyFigures(nil, "2026-01-01", "2026-12-31")))
	if len(year) > maxTicks+2 || year[1] != "2026-01-01" || year[len(year)-2] > "2026-12-31" {
		t.Errorf("of a year: %q", year)
	}
	if got, want := labels(valueAxis("km", days[:1])), []string{"1", "2"}; !cmp.Equal(got, want) {
		t.Errorf("of one value: got %q, want %q", got, want)
	}
}
