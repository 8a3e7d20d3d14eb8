package prefill

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// numbers returns the metrics of a period, mood and energy first. Each is compared with the
// period before.
func (g Gatherer) numbers(ctx context.Context, diary Diary, p days.Period) (string, error) {
	now, err := rows.Measure(ctx, diary, rows.EntriesBetween(p.From(), p.To()))
	if err != nil || len(now) == 0 {
		return "", err
	}
	then, err := rows.Measure(ctx, diary, rows.EntriesBetween(p.Before().From(), p.Before().To()))
	if err != nil {
		return "", err
	}
	earlier := map[string]store.MetricSummary{}
	for _, m := range then {
		earlier[m.Name] = m
	}
	said := []string{}
	for _, m := range now[:min(maxMetrics, len(now))] {
		untrusted.MarkDiary(ctx, m.Source) // marks the flow's answer as untrusted
		said = append(said, "- "+m.Name+": "+summarizeMetric(m)+meanChange(m, earlier[m.Name], p.Unit))
	}
	if more := len(now) - maxMetrics; more > 0 {
		said = append(said, fmt.Sprintf("- … and %d more metrics", more))
	}
	return strings.Join(said, "\n"), nil
}

// summarizeMetric sums up a metric: "mean 7.2 on 5 days, 6 to 8".
func summarizeMetric(m store.MetricSummary) string {
	switch {
	case m.IsBool:
		return fmt.Sprintf("%s of %s yes", formatNumber(m.Sum), metadata.CountOf(m.Count, "time"))
	case m.Count == 1:
		return formatNumber(m.Sum)
	}
	text := fmt.Sprintf("mean %s on %s", formatNumber(m.Mean()), metadata.CountOf(m.Days, "day"))
	if m.Min != m.Max {
		text += fmt.Sprintf(", %s to %s", formatNumber(m.Min), formatNumber(m.Max))
	}
	return text
}

// meanChange compares a mean with the period before. It returns "" if that period has no
// value.
func meanChange(now, then store.MetricSummary, unit string) string {
	switch {
	case then.Count == 0:
		return ""
	case now.IsBool:
		return fmt.Sprintf("; the %s before %s of %d", unit, formatNumber(then.Sum), then.Count)
	}
	return fmt.Sprintf("; the %s before %s (%s)", unit, formatNumber(then.Mean()), formatSigned(now.Mean()-then.Mean()))
}

// missingDays names the days of a period, up to today, that have no entry. It returns "" if
// all days have entries or none has.
func (g Gatherer) missingDays(ctx context.Context, diary Diary, p days.Period) (string, error) {
	facts, err := diary.Days(ctx, rows.EntriesBetween(p.From(), p.To()))
	if err != nil || len(facts) == 0 {
		return "", err
	}
	has := map[string]bool{}
	for _, day := range facts {
		has[day.Date] = true
	}
	begun, without := 0, []string{}
	for _, date := range p.Dates() {
		if date > g.Today().From() {
			break
		}
		begun++
		if !has[date] {
			without = append(without, days.Midnight(date).Format("Mon 2 Jan"))
		}
	}
	if len(without) == 0 {
		return "", nil
	}
	return fmt.Sprintf("Nothing was logged on %d of %s: %s.", len(without), metadata.CountOf(begun, "day"), strings.Join(without, ", ")), nil
}

// formatNumber formats a value with at most two decimals.
func formatNumber(value float64) string {
	return strconv.FormatFloat(rows.Round(value)+0, 'f', -1, 64)
}

// formatSigned formats a difference with its sign.
func formatSigned(value float64) string {
	text := formatNumber(value)
	switch {
	case text == "0" || text == "-0":
		return "±0"
	case value > 0:
		return "+" + text
	}
	return text
}
