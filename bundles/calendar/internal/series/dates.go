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

// mostDates is the maximum number of dates of a series that are compared. YearsAhead is how
// many years of an endless series are compared.
const (
	mostDates  = 5000
	YearsAhead = 1
)

// A DateSet holds when the events of a series take place, on the clocks of its zone.
type DateSet struct {
	Walls []time.Time
	zone  *time.Location
	open  bool // there are later dates that the set leaves out
}

// Dates returns the dates of a series until a moment, without the cancelled ones. An event
// without a rule has one date.
func (t *Target) Dates(series *calendarapi.Event, others []*calendarapi.Event, until time.Time) DateSet {
	s, ok := eventtime.Of(series, t.Zone)
	if !ok {
		return DateSet{}
	}
	line := DateSet{zone: s.Zone, Walls: []time.Time{eventtime.WallClock(s)}}
	if len(series.Recurrence) == 0 {
		return line
	}
	bare := *series
	var err error
	if bare.Recurrence, err = WithoutCancelled(series.Recurrence, s, others, t.Zone); err != nil {
		return DateSet{}
	}
	set, err := Rule(&bare, t.Zone)
	if err != nil {
		return DateSet{}
	}
	starts, more := set.Between(s.Start, until, mostDates)
	later, _ := set.Between(until, until.AddDate(10, 0, 0), 1)
	line.Walls, line.open = nil, more || len(later) > 0
	for _, at := range starts {
		line.Walls = append(line.Walls, timeparse.WallOf(at.In(s.Zone)).Floating())
	}
	return line
}

// past counts the dates that are before now.
func (l DateSet) past(walls []time.Time, now time.Time) int {
	n, _ := slices.BinarySearchFunc(walls, timeparse.WallOf(now.In(l.zone)).Floating(), time.Time.Compare)
	return n
}

// in returns the dates as the clocks of another zone show them.
func (l DateSet) in(zone *time.Location) DateSet {
	walls := make([]time.Time, len(l.Walls))
	for i, wall := range l.Walls {
		walls[i] = timeparse.WallOf(timeparse.Place(wall, l.zone).Time.In(zone)).Floating()
	}
	return DateSet{walls, zone, l.open}
}

// MoveNote describes a move of a whole series: every date moves by the same time on its
// clocks. If the zone of the series changes, MoveNote compares moments instead.
func MoveNote(was, is eventtime.Span, before, after DateSet, now time.Time) string {
	text := eventtext.Counted(len(before.Walls), "date moves", "dates move")
	if before.open {
		text = "all dates move"
	}
	first := is.Starting(timeparse.Place(after.Walls[0], is.Zone).Time).Words(is.Zone)
	nth := unskipped(was, is, before, after)
	rezoned := !was.AllDay && !is.AllDay && was.Zone.String() != is.Zone.String()
	if rezoned {
		after = after.in(was.Zone)
	}
	by := after.Walls[nth].Sub(before.Walls[nth])
	switch {
	case was.AllDay != is.AllDay:
	case by > 0:
		text += " " + timeparse.Length(by) + " later"
	case by < 0:
		text += " " + timeparse.Length(-by) + " earlier"
	default:
		return clockWords(is, before, after, now) + ": the first is then " + first
	}
	if rezoned {
		text += ", to the clocks of " + is.Zone.String()
	}
	text += pastWords(before.past(before.Walls, now)) + ": the first is then " + first
	left := slices.DeleteFunc(slices.Clone(before.Walls), func(wall time.Time) bool { return !DayOf(wall).Before(DayOf(after.Walls[0])) })
	if len(left) > 0 && len(left) < len(before.Walls) && !DayOf(before.Walls[len(left)]).After(DayOf(after.Walls[0])) {
		text += "; nothing takes place any more on " + daysInWords(left)
	}
	return text
}

// unskipped returns the index of the first date that skipped clocks do not affect, neither
// at the old time nor at the new one.
func unskipped(was, is eventtime.Span, before, after DateSet) int {
	for i := range min(len(before.Walls), len(after.Walls)) {
		if timeOfDay(before.Walls[i]) == timeOfDay(eventtime.WallClock(was)) && timeOfDay(after.Walls[i]) == timeOfDay(eventtime.WallClock(is)) {
			return i
		}
	}
	return 0
}

func timeOfDay(wall time.Time) time.Duration { return wall.Sub(DayOf(wall)) }

// clockWords describes a series that changes its zone while the first date stays the same
// moment. Other dates move if the two zones change their clocks on different days.
func clockWords(is eventtime.Span, before, after DateSet, now time.Time) string {
	text := "the dates keep to the clocks of " + is.Zone.String()
	kept := map[time.Time]bool{}
	for _, wall := range after.Walls {
		kept[wall] = true
	}
	moved := slices.DeleteFunc(slices.Clone(before.Walls), func(wall time.Time) bool { return kept[wall] })
	if len(moved) == 0 {
		return text + ", and none moves"
	}
	return text + ", by which " + eventtext.Counted(len(moved), "date moves", "dates move") + pastWords(before.past(moved, now)) + " (" + daysInWords(moved) + ")"
}

// RuleNote describes how a new rule changes the dates of a series.
func RuleNote(before, after DateSet, now, until time.Time) string {
	gone, come := beside(before.Walls, after.Walls), beside(after.Walls, before.Walls)
	moved := len(before.Walls) - len(gone) - both(before.Walls, after.Walls)
	parts := []string{}
	if len(gone) > 0 {
		parts = append(parts, eventtext.Counted(len(gone), "date goes", "dates go")+pastWords(before.past(gone, now))+" ("+daysInWords(gone)+")")
	}
	if len(come) > 0 {
		parts = append(parts, eventtext.Counted(len(come), "date comes", "dates come")+pastWords(after.past(come, now))+" ("+daysInWords(come)+")")
	}
	if moved > 0 {
		parts = append(parts, eventtext.Counted(moved, "date gets", "dates get")+" another time of day")
	}
	if len(parts) > 0 && (before.open || after.open) {
		parts = append(parts, "counted until "+timeparse.Date(until)+", and so on")
	}
	return strings.Join(parts, "; ")
}

// beside returns the dates on whose days the others have no date.
func beside(walls, others []time.Time) []time.Time {
	days := map[time.Time]bool{}
	for _, wall := range others {
		days[DayOf(wall)] = true
	}
	return slices.DeleteFunc(slices.Clone(walls), func(wall time.Time) bool { return days[DayOf(wall)] })
}

// both counts the dates that are in both series.
func both(a, b []time.Time) int {
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

// DayOf returns the midnight of a wall-clock time.
func DayOf(wall time.Time) time.Time { return wall.Truncate(24 * time.Hour) }

func pastWords(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them past", n)
}

// daysInWords lists the first few dates and counts the rest.
func daysInWords(walls []time.Time) string {
	const most = 3
	days := []string{}
	for _, wall := range walls[:min(most, len(walls))] {
		days = append(days, wall.Format("Mon 2006-01-02"))
	}
	if more := len(walls) - most; more > 0 {
		return strings.Join(days, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(days, ", ")
}
