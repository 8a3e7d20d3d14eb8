package diary

import (
	"context"
	"fmt"
	"strconv"

	"kota/store"
	"kota/store/engine"
)

// OnThisDay returns the entries of the same month and day in other years, latest year first, at
// most limit. On 28 February of a year without 29 February, it includes those of 29 February. It
// returns ErrInvalid for an invalid date.
func (d *Store) OnThisDay(ctx context.Context, date string, limit int) ([]*store.DayEntry, error) {
	found, err := d.onThisDay(ctx, date, limit)
	if err != nil {
		return nil, fmt.Errorf("look for the day in other years: %w", err)
	}
	return found, nil
}

func (d *Store) onThisDay(ctx context.Context, date string, limit int) ([]*store.DayEntry, error) {
	if err := store.CheckDate(date); err != nil {
		return nil, err
	}
	q := d.db.Read(ctx)
	const mine = "owner = ?1 AND deleted IS NULL"
	first, last := "", ""
	err := q.Row("SELECT coalesce(min(first), ''), coalesce(max(last), '') FROM ("+
		"SELECT (SELECT min(date)"+indexedEntries+mine+") AS first, (SELECT max(date)"+indexedEntries+mine+") AS last"+
		" UNION ALL SELECT min(date), max(date)"+staleEntries.For(q)+mine+") AS parts", d.owner).Scan(&first, &last)
	if err != nil || first == "" {
		return []*store.DayEntry{}, err
	}
	dates := []string{}
	for year := yearOf(first); year <= yearOf(last); year++ {
		if year == yearOf(date) {
			continue
		}
		dates = append(dates, fmt.Sprintf("%04d%s", year, date[4:]))
		if date[4:] == "-02-28" && store.CheckDate(date[:4]+"-02-29") != nil {
			dates = append(dates, fmt.Sprintf("%04d-02-29", year))
		}
	}
	return readOrdered(q, "owner = ? AND deleted IS NULL AND "+q.Dialect().Among("date", "?"), []any{d.owner, engine.List[string](dates)}, "date DESC, "+timeOrder.For(q)+", id", limit)
}

func yearOf(date string) int {
	year, _ := strconv.Atoi(date[:4]) // CheckDate accepted it
	return year
}
