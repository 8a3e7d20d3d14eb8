package store

import (
	"context"
	"fmt"
	"strconv"
)

// A Run is some days that follow each other. The zero Run is none.
type Run struct {
	From, To string // dates, both included
	Days     int
}

// Streaks are runs of days with an entry.
type Streaks struct {
	Current Run // ends today, or yesterday while today has none yet
	Longest Run // the latest of equals

	// The same when days count too whose entries were all logged after they
	// had ended.
	FilledCurrent, FilledLongest Run
}

// StreaksOf finds the streaks in what Days has counted. today is the date of
// the day that has not ended.
func StreaksOf(days []DayFacts, today string) Streaks {
	s := Streaks{}
	s.Current, s.Longest = streak(days, today, func(d DayFacts) bool { return d.Entries > d.Backfilled })
	s.FilledCurrent, s.FilledLongest = streak(days, today, func(d DayFacts) bool { return d.Entries > 0 })
	return s
}

func streak(days []DayFacts, today string, counts func(DayFacts) bool) (current, longest Run) {
	run := Run{}
	for _, day := range days {
		switch {
		case !counts(day) || day.Date > today:
			continue
		case run.Days > 0 && daysBetween(run.To, day.Date) == 1:
			run.To, run.Days = day.Date, run.Days+1
		default:
			run = Run{day.Date, day.Date, 1}
		}
		if run.Days >= longest.Days {
			longest = run
		}
	}
	if run.Days > 0 && daysBetween(run.To, today) <= 1 {
		current = run
	}
	return current, longest
}

// GapsIn finds the runs of days from one date to another, both included, that
// are not among what Days has counted.
func GapsIn(days []DayFacts, from, to string) []Run {
	gaps := []Run{}
	gap := func(from, to string) {
		if from <= to {
			gaps = append(gaps, Run{from, to, daysBetween(from, to) + 1})
		}
	}
	next := from
	for _, day := range days {
		if day.Date < next || day.Date > to {
			continue
		}
		gap(next, daysAfter(day.Date, -1))
		if day.Date == to {
			return gaps
		}
		next = daysAfter(day.Date, 1)
	}
	gap(next, to)
	return gaps
}

// OnThisDay returns the entries of the same month and day in other years, the
// latest year first, at most limit. Those of 29 February come on 28 February
// too in a year that has no other. It returns ErrInvalid for a date that there
// is not.
func (d *Diary) OnThisDay(ctx context.Context, date string, limit int) ([]*DayEntry, error) {
	found, err := d.onThisDay(ctx, date, limit)
	if err != nil {
		return nil, fmt.Errorf("look for the day in other years: %w", named(err))
	}
	return found, nil
}

func (d *Diary) onThisDay(ctx context.Context, date string, limit int) ([]*DayEntry, error) {
	if err := checkDate(date); err != nil {
		return nil, err
	}
	q := reading{ctx, d.db}
	const mine = "owner = ?1 AND deleted IS NULL"
	first, last := "", ""
	err := q.row("SELECT coalesce(min(first), ''), coalesce(max(last), '') FROM ("+
		"SELECT (SELECT min(date)"+settledEntries+mine+") AS first, (SELECT max(date)"+settledEntries+mine+") AS last"+
		" UNION ALL SELECT min(date), max(date)"+freshEntries+mine+")", d.owner).Scan(&first, &last)
	if err != nil || first == "" {
		return []*DayEntry{}, err
	}
	dates := []string{}
	for year := yearOf(first); year <= yearOf(last); year++ {
		if year == yearOf(date) {
			continue
		}
		dates = append(dates, fmt.Sprintf("%04d%s", year, date[4:]))
		if date[4:] == "-02-28" && checkDate(date[:4]+"-02-29") != nil {
			dates = append(dates, fmt.Sprintf("%04d-02-29", year))
		}
	}
	return d.inOrder(ctx, "owner = ? AND deleted IS NULL AND date IN (SELECT value FROM json_each(?))", []any{d.owner, list(dates)}, "date DESC, "+inDay+", id", limit)
}

func yearOf(date string) int {
	year, _ := strconv.Atoi(date[:4]) // checkDate has let it through
	return year
}
