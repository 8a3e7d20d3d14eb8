package calendar

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

// mostDates bounds how many dates of a series are compared, and datesAhead for
// how many years those of one without an end are.
const (
	mostDates  = 5000
	datesAhead = 1
)

// A dateline is when the events of a series take place, on its own clocks.
type dateline struct {
	walls []time.Time
	zone  *time.Location
	open  bool // there are more, later
}

// datesOf returns the dates of a series that are not cancelled; without a rule
// there is one.
func (t *target) datesOf(series *calendarapi.Event, others []*calendarapi.Event, until time.Time) dateline {
	s, ok := eventtime.Of(series, t.zone)
	if !ok {
		return dateline{}
	}
	line := dateline{zone: s.Zone, walls: []time.Time{eventtime.WallClock(s)}}
	if len(series.Recurrence) == 0 {
		return line
	}
	bare := *series
	var err error
	if bare.Recurrence, err = without(series.Recurrence, s, others, t.zone); err != nil {
		return dateline{}
	}
	set, err := ruleOf(&bare, t.zone)
	if err != nil {
		return dateline{}
	}
	starts, more := set.Between(s.Start, until, mostDates)
	later, _ := set.Between(until, until.AddDate(10, 0, 0), 1)
	line.walls, line.open = nil, more || len(later) > 0
	for _, at := range starts {
		line.walls = append(line.walls, timeparse.WallOf(at.In(s.Zone)).Floating())
	}
	return line
}

// past counts those of the dates that are before now.
func (l dateline) past(walls []time.Time, now time.Time) int {
	n, _ := slices.BinarySearchFunc(walls, timeparse.WallOf(now.In(l.zone)).Floating(), time.Time.Compare)
	return n
}

// in returns the dates as the clocks of another zone show them.
func (l dateline) in(zone *time.Location) dateline {
	walls := make([]time.Time, len(l.walls))
	for i, wall := range l.walls {
		walls[i] = timeparse.WallOf(timeparse.Place(wall, l.zone).Time.In(zone)).Floating()
	}
	return dateline{walls, zone, l.open}
}

// moveWords is for a series of which every date moves by as much, on its clocks.
// Of one that gets other clocks the moments are compared.
func moveWords(was, is eventtime.Span, before, after dateline, now time.Time) string {
	text := eventtext.Counted(len(before.walls), "date moves", "dates move")
	if before.open {
		text = "all dates move"
	}
	first := is.Starting(timeparse.Place(after.walls[0], is.Zone).Time).Words(is.Zone)
	nth := unskipped(was, is, before, after)
	rezoned := !was.AllDay && !is.AllDay && was.Zone.String() != is.Zone.String()
	if rezoned {
		after = after.in(was.Zone)
	}
	by := after.walls[nth].Sub(before.walls[nth])
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
	text += pastWords(before.past(before.walls, now)) + ": the first is then " + first
	left := slices.DeleteFunc(slices.Clone(before.walls), func(wall time.Time) bool { return !dayOf(wall).Before(dayOf(after.walls[0])) })
	if len(left) > 0 && len(left) < len(before.walls) && !dayOf(before.walls[len(left)]).After(dayOf(after.walls[0])) {
		text += "; nothing takes place any more on " + daysInWords(left)
	}
	return text
}

// unskipped returns the index of the first date at which clocks skip neither the
// time that it had nor the one that it gets.
func unskipped(was, is eventtime.Span, before, after dateline) int {
	for i := range min(len(before.walls), len(after.walls)) {
		if timeOfDay(before.walls[i]) == timeOfDay(eventtime.WallClock(was)) && timeOfDay(after.walls[i]) == timeOfDay(eventtime.WallClock(is)) {
			return i
		}
	}
	return 0
}

func timeOfDay(wall time.Time) time.Duration { return wall.Sub(dayOf(wall)) }

// clockWords is for a series that gets other clocks, on which the first is where it
// was: the others move where those change on other days.
func clockWords(is eventtime.Span, before, after dateline, now time.Time) string {
	text := "the dates keep to the clocks of " + is.Zone.String()
	kept := map[time.Time]bool{}
	for _, wall := range after.walls {
		kept[wall] = true
	}
	moved := slices.DeleteFunc(slices.Clone(before.walls), func(wall time.Time) bool { return kept[wall] })
	if len(moved) == 0 {
		return text + ", and none moves"
	}
	return text + ", by which " + eventtext.Counted(len(moved), "date moves", "dates move") + pastWords(before.past(moved, now)) + " (" + daysInWords(moved) + ")"
}

// changeWords is for a series that gets another rule.
func changeWords(before, after dateline, now, until time.Time) string {
	gone, come := beside(before.walls, after.walls), beside(after.walls, before.walls)
	moved := len(before.walls) - len(gone) - both(before.walls, after.walls)
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

// beside returns those of the dates on whose days the others have none.
func beside(walls, others []time.Time) []time.Time {
	days := map[time.Time]bool{}
	for _, wall := range others {
		days[dayOf(wall)] = true
	}
	return slices.DeleteFunc(slices.Clone(walls), func(wall time.Time) bool { return days[dayOf(wall)] })
}

// both counts the dates that two series have alike.
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

func dayOf(wall time.Time) time.Time { return wall.Truncate(24 * time.Hour) }

func pastWords(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them past", n)
}

// daysInWords names the first few of some dates.
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
