package diary

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"kota/store"
	"kota/store/engine"
)

// A query returns all values of a day in one text, and Go adds them up. The sum of floats depends
// on their order, which databases do not promise, and on how a database adds.

// Measure summarizes a metric of the entries that match a filter, per day. "mood" and "energy"
// are metrics too. True counts as 1 and false as 0. Values beyond MaxMetric, which an earlier
// version of KOTA may have stored, do not count. Measure omits days without a value. It returns
// ErrInvalid for an invalid metric name or filter.
func (d *Store) Measure(ctx context.Context, metric string, f store.EntryFilter) ([]store.PeriodSummary, error) {
	days := []store.PeriodSummary{}
	column, args, err := asText.column(d.db.Read(ctx), metric)
	if err == nil {
		err = d.aggregate(ctx, f, "SELECT date, string_agg("+column+", ',') FROM {} GROUP BY date ORDER BY date", args, func(row engine.Scanner) error {
			date, text := "", sql.NullString{}
			if err := row.Scan(&date, &text); err != nil {
				return err
			}
			values, err := decodeList[any](text.String)
			one := measure{}
			for _, value := range values {
				one.add(value)
			}
			if len(one.values) > 0 {
				days = append(days, store.PeriodSummary{Period: date, Summary: one.summary()})
			}
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("measure %s: %w", store.FirstRunes(metric, store.MaxName), err)
	}
	return days, nil
}

// Measures summarizes every metric of the entries that match a filter, sorted by name. It omits
// mood, energy and values beyond MaxMetric. It returns ErrInvalid for an invalid filter.
func (d *Store) Measures(ctx context.Context, f store.EntryFilter) ([]store.MetricSummary, error) {
	byName := map[string]*measure{}
	err := d.aggregate(ctx, f, "SELECT date, source, string_agg(metrics, ',') FROM {} WHERE metrics <> '{}' GROUP BY date, source ORDER BY date", nil, func(row engine.Scanner) error {
		date, source, text := "", "", ""
		if err := row.Scan(&date, &source, &text); err != nil {
			return err
		}
		entries, err := decodeList[map[string]any](text)
		for _, metrics := range entries {
			for name, value := range metrics {
				one := byName[name]
				if one == nil {
					one = &measure{}
					byName[name] = one
				}
				if one.add(value) {
					one.addDay(date, source)
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list metrics: %w", err)
	}
	measured := []store.MetricSummary{}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if one := byName[name]; len(one.values) > 0 {
			measured = append(measured, store.MetricSummary{Name: name, IsBool: !one.hasNumber, Days: one.days, Source: one.source, Summary: one.summary()})
		}
	}
	return measured, nil
}

// decodeList returns the values of JSON texts with commas between them.
func decodeList[T any](texts string) ([]T, error) {
	list := []T{}
	if err := json.Unmarshal([]byte("["+texts+"]"), &list); err != nil {
		return nil, fmt.Errorf("%w: metrics: %w", store.ErrCorrupt, err)
	}
	return list, nil
}

// A measure collects the values of one metric.
type measure struct {
	values    []float64
	hasNumber bool   // a value is neither true nor false
	days      int    // days with a value
	day       string // the last one of them
	source    string // the greatest source of an entry with a value
}

// add adds a number or a boolean. It reports whether the value counts.
func (m *measure) add(value any) bool {
	number, isBool := 0.0, false
	switch v := value.(type) {
	case float64:
		number = v
	case bool:
		isBool = true
		if v {
			number = 1
		}
	default:
		return false
	}
	if math.Abs(number) > store.MaxMetric {
		return false
	}
	m.values, m.hasNumber = append(m.values, number), m.hasNumber || !isBool
	return true
}

// addDay records the day and the source of a value. Days are added in order.
func (m *measure) addDay(date, source string) {
	if m.day != date {
		m.day, m.days = date, m.days+1
	}
	m.source = max(m.source, source)
}

// summary summarizes the values, of which there is at least one. The sum does not depend on their
// order: it adds them by size, and keeps what rounding loses (Neumaier).
func (m *measure) summary() store.Summary {
	slices.SortFunc(m.values, func(a, b float64) int { return cmp.Or(cmp.Compare(math.Abs(a), math.Abs(b)), cmp.Compare(a, b)) })
	sum, lost := 0.0, 0.0
	for _, v := range m.values {
		next := sum + v
		if math.Abs(sum) >= math.Abs(v) {
			lost += (sum - next) + v
		} else {
			lost += (v - next) + sum
		}
		sum = next
	}
	return store.Summary{Count: len(m.values), Sum: sum + lost, Min: slices.Min(m.values), Max: slices.Max(m.values)}
}
