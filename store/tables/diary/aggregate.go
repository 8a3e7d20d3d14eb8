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
	q := d.db.Read(ctx)
	where, args, err := entriesWhere(q, f, d.owner)
	if err != nil {
		return err
	}
	const columns = "SELECT date, type, mood, energy, metrics, backfilled, source"
	chosen := "(" + columns + indexedEntries + where + " UNION ALL " + columns + staleEntries.For(q) + where + ") AS chosen"
	rows, err := q.Query(strings.Replace(query, "{}", chosen, 1), slices.Concat(queryArgs, args, args)...)
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
