package diary

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kota/store"
	"kota/store/engine"
)

// Days summarizes the entries that match a filter, per day, sorted by date. It omits days without
// entries. It returns ErrInvalid for an invalid filter.
func (d *Store) Days(ctx context.Context, f store.EntryFilter) ([]store.DaySummary, error) {
	days := []store.DaySummary{}
	err := d.aggregate(ctx, f, `SELECT date, count(*), sum(backfilled),
			count(mood), coalesce(sum(mood), 0), coalesce(min(mood), 0), coalesce(max(mood), 0),
			count(energy), coalesce(sum(energy), 0), coalesce(min(energy), 0), coalesce(max(energy), 0)
		FROM {} GROUP BY date ORDER BY date`, nil, func(row engine.Scanner) error {
		one := store.DaySummary{}
		m, e := &one.Mood, &one.Energy
		err := row.Scan(&one.Date, &one.Entries, &one.Backfilled, &m.Count, &m.Sum, &m.Min, &m.Max, &e.Count, &e.Sum, &e.Min, &e.Max)
		days = append(days, one)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count the days: %w", err)
	}
	return days, nil
}

// Measure summarizes a metric of the entries that match a filter, per day. "mood" and "energy"
// are metrics too. True counts as 1 and false as 0. Values beyond MaxMetric, which an earlier
// version of KOTA may have stored, do not count. Measure omits days without a value. It returns
// ErrInvalid for an invalid metric name or filter.
func (d *Store) Measure(ctx context.Context, metric string, f store.EntryFilter) ([]store.PeriodSummary, error) {
	days := []store.PeriodSummary{}
	column, path, err := metricColumn(metric)
	if err == nil {
		err = d.aggregate(ctx, f, "SELECT date, count(value), sum(value), min(value), max(value) FROM "+
			"(SELECT date, "+column+" AS value FROM {}) WHERE abs(value) <= 1e15 GROUP BY date ORDER BY date", path, func(row engine.Scanner) error {
			one := store.PeriodSummary{}
			err := row.Scan(&one.Period, &one.Count, &one.Sum, &one.Min, &one.Max)
			days = append(days, one)
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
	measured := []store.MetricSummary{}
	err := d.aggregate(ctx, f, `SELECT key, min(type IN ('true', 'false')), count(DISTINCT date), count(*), max(source), sum(value), min(value), max(value)
		FROM (SELECT date, metrics, source FROM {} WHERE metrics <> '{}'), json_each(metrics) WHERE abs(value) <= 1e15 GROUP BY key ORDER BY key`, nil, func(row engine.Scanner) error {
		one := store.MetricSummary{}
		err := row.Scan(&one.Name, &one.IsBool, &one.Days, &one.Count, &one.Source, &one.Sum, &one.Min, &one.Max)
		measured = append(measured, one)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list metrics: %w", err)
	}
	return measured, nil
}

// Types counts the entries that match a filter per type, most common first. It returns ErrInvalid
// for an invalid filter.
func (d *Store) Types(ctx context.Context, f store.EntryFilter) ([]store.TypeCount, error) {
	counts := []store.TypeCount{}
	err := d.aggregate(ctx, f, "SELECT type, count(*), max(source) FROM {} GROUP BY type ORDER BY 2 DESC, 1", nil, func(row engine.Scanner) error {
		one := store.TypeCount{}
		err := row.Scan(&one.Type, &one.Count, &one.Source)
		counts = append(counts, one)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count the types: %w", err)
	}
	return counts, nil
}

// aggregate runs a query and calls scan for each row. The first {} in query stands for the
// entries that match the filter. queryArgs are the arguments of the ? before {}.
func (d *Store) aggregate(ctx context.Context, f store.EntryFilter, query string, queryArgs []any, scan func(engine.Scanner) error) error {
	where, args, err := entriesWhere(f, d.owner)
	if err != nil {
		return err
	}
	const columns = "SELECT date, type, mood, energy, metrics, backfilled, source"
	chosen := "(" + columns + indexedEntries + where + " UNION ALL " + columns + staleEntries + where + ")"
	rows, err := d.db.Read(ctx).Query(strings.Replace(query, "{}", chosen, 1), slices.Concat(queryArgs, args, args)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
