package series

import (
	"fmt"
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/timeparse"
)

// maxDates is the maximum number of dates of a series that are compared. Dates are compared
// until YearsAhead years after now, or after the start of the series if that is later.
const (
	maxDates   = 5000
	YearsAhead = 1
)

// A DateSet holds the dates of a series in the clock time of its zone.
type DateSet struct {
	WallTimes []time.Time
	zone      *time.Location
	open      bool // the series has later dates, which the set leaves out
}

// Dates returns at most maxDates dates of a series before until, without the cancelled
// exceptions. An event without a rule has one date. Dates returns an empty set if the rule
// or the start cannot be read.
func (t *Target) Dates(series *calendarapi.Event, exceptions []*calendarapi.Event, until time.Time) DateSet {
	s, ok := eventtime.Of(series, t.Zone)
	if !ok {
		return DateSet{}
	}
	dates := DateSet{zone: s.Zone, WallTimes: []time.Time{eventtime.WallClock(s)}}
	if len(series.Recurrence) == 0 {
		return dates
	}
	bare := *series
	var err error
	if bare.Recurrence, err = ExcludeCancelled(series.Recurrence, s, exceptions, t.Zone); err != nil {
		return DateSet{}
	}
	set, err := RecurrenceOf(&bare, t.Zone)
	if err != nil {
		return DateSet{}
	}
	starts, more := set.Between(s.Start, until, maxDates)
	later, _ := set.Between(until, until.AddDate(10, 0, 0), 1)
	dates.WallTimes, dates.open = nil, more || len(later) > 0
	for _, at := range starts {
		dates.WallTimes = append(dates.WallTimes, timeparse.LocalTimeOf(at.In(s.Zone)).Floating())
	}
	return dates
}

// countPast counts the dates in walls that are before now. walls must be sorted, in the
// clock time of the set's zone.
func (l DateSet) countPast(walls []time.Time, now time.Time) int {
	n, _ := slices.BinarySearchFunc(walls, timeparse.LocalTimeOf(now.In(l.zone)).Floating(), time.Time.Compare)
	return n
}

// inZone returns the dates in the clock time of another zone.
func (l DateSet) inZone(zone *time.Location) DateSet {
	walls := make([]time.Time, len(l.WallTimes))
	for i, wall := range l.WallTimes {
		walls[i] = timeparse.LocalTimeOf(timeparse.Resolve(wall, l.zone).Time.In(zone)).Floating()
	}
	return DateSet{walls, zone, l.open}
}

// MoveNote describes a move of a whole series, in which every date moves by the same clock
// time. If the zone of the series changes, MoveNote compares the dates in the clock time of
// the old zone.
func MoveNote(was, is eventtime.Span, before, after DateSet, now time.Time) string {
	text := eventtext.Counted(len(before.WallTimes), "date moves", "dates move")
	if before.open {
		text = "all dates move"
	}
	first := is.StartingAt(timeparse.Resolve(after.WallTimes[0], is.Zone).Time).Words(is.Zone)
	nth := firstUnskipped(was, is, before, after)
	rezoned := !was.AllDay && !is.AllDay && was.Zone.String() != is.Zone.String()
	if rezoned {
		after = after.inZone(was.Zone)
	}
	shift := after.WallTimes[nth].Sub(before.WallTimes[nth])
	switch {
	case was.AllDay != is.AllDay:
	case shift > 0:
		text += " " + timeparse.Length(shift) + " later"
	case shift < 0:
		text += " " + timeparse.Length(-shift) + " earlier"
	default:
		return zoneChangeWords(is, before, after, now) + ": the first is then " + first
	}
	if rezoned {
		text += ", and the time zone becomes " + is.Zone.String()
	}
	text += pastWords(before.countPast(before.WallTimes, now)) + ": the first is then " + first
	removed := slices.DeleteFunc(slices.Clone(before.WallTimes), func(wall time.Time) bool { return !DayOf(wall).Before(DayOf(after.WallTimes[0])) })
	if len(removed) > 0 && len(removed) < len(before.WallTimes) && !DayOf(before.WallTimes[len(removed)]).After(DayOf(after.WallTimes[0])) {
		text += "; the series no longer has an event on " + daysInWords(removed)
	}
	return text
}

// firstUnskipped returns the index of the first date on which clocks skip neither the old
// time nor the new time. Without such a date it returns 0.
func firstUnskipped(was, is eventtime.Span, before, after DateSet) int {
	for i := range min(len(before.WallTimes), len(after.WallTimes)) {
		if timeOfDay(before.WallTimes[i]) == timeOfDay(eventtime.WallClock(was)) && timeOfDay(after.WallTimes[i]) == timeOfDay(eventtime.WallClock(is)) {
			return i
		}
	}
	return 0
}

func timeOfDay(wall time.Time) time.Duration { return wall.Sub(DayOf(wall)) }

// zoneChangeWords describes a series that changes its zone while the first date stays the
// same moment. Other dates move if the two zones change their clocks on different days.
func zoneChangeWords(is eventtime.Span, before, after DateSet, now time.Time) string {
	text := "the time zone becomes " + is.Zone.String()
	unchanged := map[time.Time]bool{}
	for _, wall := range after.WallTimes {
		unchanged[wall] = true
	}
	moved := slices.DeleteFunc(slices.Clone(before.WallTimes), func(wall time.Time) bool { return unchanged[wall] })
	if len(moved) == 0 {
		return text + ", and no date moves"
	}
	return text + ", so " + eventtext.Counted(len(moved), "date moves", "dates move") + pastWords(before.countPast(moved, now)) + " (" + daysInWords(moved) + ")"
}

// RuleNote describes how a new rule changes the dates of a series.
func RuleNote(before, after DateSet, now, until time.Time) string {
	removed, added := onOtherDays(before.WallTimes, after.WallTimes), onOtherDays(after.WallTimes, before.WallTimes)
	moved := len(before.WallTimes) - len(removed) - countCommon(before.WallTimes, after.WallTimes)
	parts := []string{}
	if len(removed) > 0 {
		parts = append(parts, eventtext.Counted(len(removed), "date is removed", "dates are removed")+pastWords(before.countPast(removed, now))+" ("+daysInWords(removed)+")")
	}
	if len(added) > 0 {
		parts = append(parts, eventtext.Counted(len(added), "date is added", "dates are added")+pastWords(after.countPast(added, now))+" ("+daysInWords(added)+")")
	}
	if moved > 0 {
		parts = append(parts, eventtext.Counted(moved, "date gets", "dates get")+" another time of day")
	}
	if len(parts) > 0 && (before.open || after.open) {
		parts = append(parts, "dates after "+timeparse.Date(until)+" are not counted")
	}
	return strings.Join(parts, "; ")
}

// onOtherDays returns the dates in walls whose day has no date in others.
func onOtherDays(walls, others []time.Time) []time.Time {
	days := map[time.Time]bool{}
	for _, wall := range others {
		days[DayOf(wall)] = true
	}
	return slices.DeleteFunc(slices.Clone(walls), func(wall time.Time) bool { return days[DayOf(wall)] })
}

// countCommon counts the dates that are in both series.
func countCommon(a, b []time.Time) int {
	in := map[time.Time]bool{}
	for _, wall := range b {
		in[wall] = true
	}
	n := 0
	for _, wall := range a {
		if in[wall] {
			n++
		}
	}
	return n
}

// DayOf returns the beginning of the day of a wall-clock time.
func DayOf(wall time.Time) time.Time { return wall.Truncate(24 * time.Hour) }

func pastWords(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them past", n)
}

// daysInWords lists the first few dates and counts the rest.
func daysInWords(walls []time.Time) string {
	const max = 3
	days := []string{}
	for _, wall := range walls[:min(max, len(walls))] {
		days = append(days, wall.Format("Mon 2006-01-02"))
	}
	if more := len(walls) - max; more > 0 {
		return strings.Join(days, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(days, ", ")
}
