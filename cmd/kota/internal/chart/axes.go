package chart

import (
	"math"
	"strconv"
	"time"

	"github.com/wcharczuk/go-chart/v2"

	"kota/store"
)

// maxTicks is the approximate number of labels that are readable side by side.
const maxTicks = 8

// valueAxis returns ticks at round values, so that all daily means are between
// the first and the last tick. The axis of mood and energy goes from 1 to 5.
func valueAxis(metric string, days []store.PeriodSummary) []chart.Tick {
	low, high := days[0].Mean(), days[0].Mean()
	for _, day := range days {
		low, high = min(low, day.Mean()), max(high, day.Mean())
	}
	if metric == "mood" || metric == "energy" {
		low, high = 1, 5
	}
	step := roundStep(high - low)
	first, last := math.Floor(low/step), math.Ceil(high/step)
	if first == last {
		first, last = first-1, last+1
	}
	ticks := []chart.Tick{}
	for n := first; n <= last; n++ {
		ticks = append(ticks, chart.Tick{Value: n * step, Label: strconv.FormatFloat(n*step, 'g', 6, 64)})
	}
	return ticks
}

// roundStep returns the distance between ticks on an axis of that length: 1, 2
// or 5 times a power of ten. The length has fewer than maxTicks such steps. For
// a length of about 0, roundStep returns 1.
func roundStep(length float64) float64 {
	if length < 1e-9 {
		return 1
	}
	unit := math.Pow10(int(math.Floor(math.Log10(length / maxTicks))))
	for _, times := range []float64{1, 2, 5} {
		if length/(unit*times) < maxTicks {
			return unit * times
		}
	}
	return unit * 10
}

// dateAxis returns labelled ticks from the first day, at equal distances of one
// or more days. Two ticks without a label add half a day of margin on either
// side.
func dateAxis(days []store.PeriodSummary) []chart.Tick {
	const aDay = 24 * time.Hour
	first, last := dayOf(days[0]), dayOf(days[len(days)-1])
	ticks := []chart.Tick{{Value: chart.TimeToFloat64(first.Add(-aDay / 2))}}
	apart := 1 + int(last.Sub(first)/aDay)/maxTicks
	for day := first; !day.After(last); day = day.AddDate(0, 0, apart) {
		ticks = append(ticks, chart.Tick{Value: chart.TimeToFloat64(day), Label: day.Format(time.DateOnly)})
	}
	return append(ticks, chart.Tick{Value: chart.TimeToFloat64(last.Add(aDay / 2))})
}
