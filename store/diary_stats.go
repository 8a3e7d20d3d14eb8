package store

// A Summary summarizes values. Its zero value summarizes no values.
type Summary struct {
	Count         int
	Sum, Min, Max float64
}

// Mean returns the mean of the values, or 0 without any.
func (s Summary) Mean() float64 {
	if s.Count == 0 {
		return 0
	}
	return s.Sum / float64(s.Count)
}

// Merge returns a summary of the values of s and other.
func (s Summary) Merge(other Summary) Summary {
	if s.Count == 0 || other.Count == 0 {
		return Summary{s.Count + other.Count, s.Sum + other.Sum, s.Min + other.Min, s.Max + other.Max}
	}
	return Summary{s.Count + other.Count, s.Sum + other.Sum, min(s.Min, other.Min), max(s.Max, other.Max)}
}

// A DaySummary summarizes the entries of a day.
type DaySummary struct {
	Date       string
	Entries    int
	Backfilled int // entries that were logged after the day had ended
	Mood       Summary
	Energy     Summary
}

// A PeriodSummary summarizes the values of one day, week or month.
type PeriodSummary struct {
	Period string // "2026-11-20", "2026-W47" or "2026-11"
	Summary
}

// A MetricSummary summarizes all values of one metric.
type MetricSummary struct {
	Name   string
	IsBool bool   // all values are true or false; Sum is the number of true values
	Days   int    // days with a value
	Source string // the Source of one entry with this metric; "" only if none of them has a Source
	Summary
}

// A TypeCount is the number of entries of a type.
type TypeCount struct {
	Type   string
	Count  int
	Source string // the Source of one entry of this type; "" only if none of them has a Source
}

// GroupByWeek groups days by ISO 8601 week (from Monday). It keeps their order.
func GroupByWeek(days []PeriodSummary) []PeriodSummary { return groupByPeriod(days, WeekOf) }

// GroupByMonth groups days by month. It keeps their order.
func GroupByMonth(days []PeriodSummary) []PeriodSummary {
	return groupByPeriod(days, func(date string) string { return date[:len("2026-11")] })
}

func groupByPeriod(days []PeriodSummary, period func(date string) string) []PeriodSummary {
	groups := []PeriodSummary{}
	for _, day := range days {
		span := period(day.Period)
		if len(groups) == 0 || groups[len(groups)-1].Period != span {
			groups = append(groups, PeriodSummary{Period: span})
		}
		last := &groups[len(groups)-1]
		last.Summary = last.Merge(day.Summary)
	}
	return groups
}

// A DaySpan is a sequence of consecutive days. The zero DaySpan has no days.
type DaySpan struct {
	From, To string // dates, both included
	Days     int
}

// Streaks are spans of consecutive days with entries.
type Streaks struct {
	Current DaySpan // ends today, or yesterday if today has no entry yet
	Longest DaySpan // the latest if several are equal

	// CurrentWithBackfill and LongestWithBackfill also count days whose entries were all logged
	// after the day had ended.
	CurrentWithBackfill, LongestWithBackfill DaySpan
}

// FindStreaks finds the streaks in days, which must be sorted by date. today is the current date.
func FindStreaks(days []DaySummary, today string) Streaks {
	s := Streaks{}
	s.Current, s.Longest = findStreaks(days, today, func(d DaySummary) bool { return d.Entries > d.Backfilled })
	s.CurrentWithBackfill, s.LongestWithBackfill = findStreaks(days, today, func(d DaySummary) bool { return d.Entries > 0 })
	return s
}

func findStreaks(days []DaySummary, today string, counts func(DaySummary) bool) (current, longest DaySpan) {
	span := DaySpan{}
	for _, day := range days {
		switch {
		case !counts(day) || day.Date > today:
			continue
		case span.Days > 0 && daysBetween(span.To, day.Date) == 1:
			span.To, span.Days = day.Date, span.Days+1
		default:
			span = DaySpan{day.Date, day.Date, 1}
		}
		if span.Days >= longest.Days {
			longest = span
		}
	}
	if span.Days > 0 && daysBetween(span.To, today) <= 1 {
		current = span
	}
	return current, longest
}

// FindGaps returns the spans of dates from first to last, both included, that are not in days.
// days must be sorted by date.
func FindGaps(days []DaySummary, first, last string) []DaySpan {
	gaps := []DaySpan{}
	gap := func(first, last string) {
		if first <= last {
			gaps = append(gaps, DaySpan{first, last, daysBetween(first, last) + 1})
		}
	}
	next := first
	for _, day := range days {
		if day.Date < next || day.Date > last {
			continue
		}
		gap(next, daysAfter(day.Date, -1))
		if day.Date == last {
			return gaps
		}
		next = daysAfter(day.Date, 1)
	}
	gap(next, last)
	return gaps
}
