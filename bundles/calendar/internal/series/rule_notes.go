package series

import (
	"strings"
	"time"

	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/recurrence"
	"kota/bundles/internal/timeparse"
)

// Limits of the search for instances that the user may not expect.
const (
	noteYears        = 2
	maxNoteInstances = 800 // enough for a daily series over noteYears
	leapSearchYears  = 9   // from any 29 February, the next one is within so many years
)

// RuleNotes returns notes about instances that the user may not expect. For example, a
// series skips months without its day. An instance is at another time of day if clocks skip
// its time.
func RuleNotes(set *recurrence.Set, s eventtime.Span) []string {
	notes := set.Notes()
	rules := strings.Join(set.Lines(), ";")
	instances, _ := set.Between(s.Start, s.Start.AddDate(noteYears, 0, 0), maxNoteInstances)
	if note := SkippedClockNote(set, s, s.Start); note != "" {
		notes = append(notes, note)
	}
	if eventtext.HasPart(rules, "BYDAY", "BYMONTH", "BYSETPOS", "BYYEARDAY", "BYWEEKNO") {
		return notes
	}
	switch first := s.Start.In(s.Zone); {
	case strings.Contains(rules, "FREQ=MONTHLY") && skipsMonths(instances, s):
		return append(notes, "it skips months without a "+eventtext.Ordinal(first.Day())+"; BYMONTHDAY=-1 is the last day of each")
	case strings.Contains(rules, "FREQ=YEARLY") && first.Month() == time.February && first.Day() == 29:
		if years, _ := set.Between(s.Start, s.Start.AddDate(leapSearchYears, 0, 0), 2); len(years) > 1 {
			return append(notes, "it skips years without 29 February; the next is "+timeparse.Date(years[1].In(s.Zone)))
		}
	}
	return notes
}

// SkippedClockNote returns a note about an instance whose time of day clocks skip, or "" if
// it finds none. The instance is the start if clocks skip it. Otherwise it is the first
// such instance at or after from, within noteYears years.
func SkippedClockNote(set *recurrence.Set, s eventtime.Span, from time.Time) string {
	const clock = "15:04"
	wallTime := eventtime.WallClock(s).Format(clock)
	note := func(at time.Time) string {
		return "on " + timeparse.Date(at.In(s.Zone)) + " clocks skip " + wallTime + ": the event is at " + at.In(s.Zone).Format(clock) + " that day"
	}
	switch {
	case !s.Skipped.IsZero():
		return note(s.Start)
	case s.AllDay || eventtext.HasPart(strings.Join(set.Lines(), ";"), "BYHOUR", "BYMINUTE", "BYSECOND", "RDATE"):
		return ""
	}
	instances, _ := set.Between(from, from.AddDate(noteYears, 0, 0), maxNoteInstances)
	for _, at := range instances {
		if at.In(s.Zone).Format(clock) != wallTime {
			return note(at)
		}
	}
	return ""
}

// StoredStartNote returns a note if Google stores the series with an earlier start than its
// first date. Otherwise it returns "".
func StoredStartNote(s eventtime.Span, first eventtime.Span) string {
	if first.Start.Equal(s.Start) {
		return ""
	}
	return "Google stores the series from " + first.StartWords() + " on, without that date: a series cannot start at a time that clocks skip"
}

// skipsMonths reports whether a month between two instances does not have the day of the
// series.
func skipsMonths(instances []time.Time, s eventtime.Span) bool {
	for i := 1; i < len(instances); i++ {
		last, next := instances[i-1].In(s.Zone), instances[i].In(s.Zone)
		for n := 1; n < noteYears*12; n++ {
			day := time.Date(last.Year(), last.Month()+time.Month(n), last.Day(), 0, 0, 0, 0, time.UTC)
			if timeparse.Date(day) >= timeparse.Date(next) {
				break
			}
			if day.Day() != last.Day() {
				return true
			}
		}
	}
	return false
}
