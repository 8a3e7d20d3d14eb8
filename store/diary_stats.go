package store

// A Figure summarizes values. Its zero value summarizes no values.
type Figure struct {
	Count         int
	Sum, Min, Max float64
}

// Mean returns the mean of the values, or 0 without any.
func (f Figure) Mean() float64 {
	if f.Count == 0 {
		return 0
	}
	return f.Sum / float64(f.Count)
}

// And returns the figure of the values of both.
func (f Figure) And(g Figure) Figure {
	if f.Count == 0 || g.Count == 0 {
		return Figure{f.Count + g.Count, f.Sum + g.Sum, f.Min + g.Min, f.Max + g.Max}
	}
	return Figure{f.Count + g.Count, f.Sum + g.Sum, min(f.Min, g.Min), max(f.Max, g.Max)}
}

// A DayFacts says what a day contains.
type DayFacts struct {
	Date       string
	Entries    int
	Backfilled int // entries that were logged after the day had ended
	Mood       Figure
	Energy     Figure
}

// A PeriodFigure summarizes the values of one day, week or month.
type PeriodFigure struct {
	Period string // "2026-11-20", "2026-W47" or "2026-11"
	Figure
}

// A Measured summarizes all values of one metric.
type Measured struct {
	Name   string
	Truth  bool   // all values are true or false, and Sum counts the true ones
	Days   int    // with a value
	Source string // of an entry with this metric and a source, else ""
	Figure
}

// A TypeCount is the number of entries of a type.
type TypeCount struct {
	Type   string
	Count  int
	Source string // of an entry of this type with a source, else ""
}

// PerWeek groups days by ISO 8601 week (from Monday). It keeps their order.
func PerWeek(days []PeriodFigure) []PeriodFigure { return grouped(days, WeekOf) }

// PerMonth groups days by month. It keeps their order.
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

// A Run is a sequence of consecutive days. The zero Run has no days.
type Run struct {
	From, To string // dates, both included
	Days     int
}

// Streaks are runs of days with entries.
type Streaks struct {
	Current Run // ends today, or yesterday if today has no entry yet
	Longest Run // the latest if several are equal

	// The same, but days also count if all their entries were logged after the day had ended.
	FilledCurrent, FilledLongest Run
}

// StreaksOf finds the streaks in the result of Days. today is the current date.
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

// GapsIn finds the runs of days without entries in the result of Days. from and to are included.
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
