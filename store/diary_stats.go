package store

// A Figure sums values up. Its zero value is that of none.
type Figure struct {
	Count         int
	Sum, Min, Max float64
}

// Mean is the mean of the values, 0 of none.
func (f Figure) Mean() float64 {
	if f.Count == 0 {
		return 0
	}
	return f.Sum / float64(f.Count)
}

// And is the figure of the values of both.
func (f Figure) And(g Figure) Figure {
	if f.Count == 0 || g.Count == 0 {
		return Figure{f.Count + g.Count, f.Sum + g.Sum, f.Min + g.Min, f.Max + g.Max}
	}
	return Figure{f.Count + g.Count, f.Sum + g.Sum, min(f.Min, g.Min), max(f.Max, g.Max)}
}

// A DayFacts says what a day has.
type DayFacts struct {
	Date       string
	Entries    int
	Backfilled int // of them, those that were logged after it had ended
	Mood       Figure
	Energy     Figure
}

// A PeriodFigure sums up the values of one day, week or month.
type PeriodFigure struct {
	Period string // "2026-11-20", "2026-W47" or "2026-11"
	Figure
}

// A Measured is one metric with all of its values.
type Measured struct {
	Name   string
	Truth  bool   // its values are true or false alone, and Sum counts the true ones
	Days   int    // that have it
	Source string // of an entry that has it and a source, else ""
	Figure
}

// A TypeCount is how many entries are of a type.
type TypeCount struct {
	Type   string
	Count  int
	Source string // of an entry of the type that has a source, else ""
}

// PerWeek sums up days by their weeks (ISO 8601: from Monday), in their order.
func PerWeek(days []PeriodFigure) []PeriodFigure { return grouped(days, WeekOf) }

// PerMonth sums up days by their months, in their order.
func PerMonth(days []PeriodFigure) []PeriodFigure {
	return grouped(days, func(date string) string { return date[:len("2026-11")] })
}

func grouped(days []PeriodFigure, period func(date string) string) []PeriodFigure {
	groups := []PeriodFigure{}
	for _, day := range days {
		of := period(day.Period)
		if len(groups) == 0 || groups[len(groups)-1].Period != of {
			groups = append(groups, PeriodFigure{Period: of})
		}
		last := &groups[len(groups)-1]
		last.Figure = last.And(day.Figure)
	}
	return groups
}

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
