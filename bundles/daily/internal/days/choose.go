package days

import (
	"strings"
	"time"

	"kota/bundles/internal/timeparse"
)

// An EntryTime is the day and the time of an entry.
type EntryTime struct {
	Date       string
	Moment     time.Time // in the zone in which it was read; zero if the entry has no time
	Zone       string    // IANA name of the zone in which the entry was logged
	Why        string    // reason for the date; "" if it is obvious
	Backfilled bool      // the day had ended when the entry was logged
}

// clockTolerance is how far a time may be ahead of the clock before it counts as future.
const clockTolerance = 5 * time.Minute

// Choose chooses the day of an entry from the arguments date and time under path:
//
//   - A date is the entry's day. A time before the start of the day means the night after it.
//   - A date without a time gives no time, unless the date names a time. For today it gives now.
//   - A time without a date is the most recent such time.
//   - Without both, the entry's time is now.
//
// Choose notes what is wrong. The result may then have no date.
func (p *Problems) Choose(path, date, at string, c CallTime) EntryTime {
	var chosen EntryTime
	switch {
	case date == "" && at == "":
		chosen = EntryTime{Date: c.Date, Moment: c.Moment, Why: c.why}
	case date == "":
		chosen = p.chooseLastTime(path+"time", at, c)
	default:
		chosen = p.chooseOnDate(path, date, at, c)
	}
	chosen.Backfilled, chosen.Zone = chosen.Date < c.Date, chosen.Moment.Location().String()
	if chosen.Moment.IsZero() {
		chosen.Zone = c.Moment.Location().String()
	}
	if chosen.Date > c.tomorrow() {
		p.Add(path+"date", "at most tomorrow, "+c.tomorrow()+": future days have no entries", chosen.Date)
		p.Hint = "Nothing was done. Plan a future day with daily_plan, or add a task with a due date with daily_task."
		return EntryTime{}
	}
	return chosen
}

// chooseOnDate chooses a date, and a time of day if one is given.
func (p *Problems) chooseOnDate(path, date, at string, c CallTime) EntryTime {
	named, ok := p.Days(path+"date", date, c)
	if !ok {
		return EntryTime{}
	}
	if named.From != named.To {
		p.Add(path+"date", "one day, from "+named.From+" to "+named.To, date)
		return EntryTime{}
	}
	chosen := EntryTime{Date: named.From, Why: named.Why}
	if at == "" {
		chosen.Moment = c.defaultMoment(named)
		return chosen
	}
	since, ok := timeOfDay(at)
	if !ok {
		exact := p.chooseLastTime(path+"time", at, c)
		if exact.Date != "" && exact.Date != chosen.Date {
			p.Add(path+"time", "a time of day such as \"23:30\", of "+chosen.Date, at)
		}
		chosen.Moment = exact.Moment
		return chosen
	}
	if c.DayStarts() == 0 && strings.HasPrefix(strings.TrimSpace(at), "24") {
		p.Add(path+"time", "a time of "+chosen.Date+", at most 23:59", at)
	}
	if since < c.DayStarts() {
		chosen.Why = at + " is in the night after that day: the next day starts at " + formatClock(c.DayStarts())
	}
	moment, note := p.ResolveClockTime(path+"time", at, c.ClockTime(chosen.Date, since), c)
	chosen.Moment, chosen.Why = moment, joinReasons(chosen.Why, note)
	return chosen
}

// defaultMoment returns the time of an entry without a time argument: now if the day is today,
// otherwise zero. A time that the date names itself stays.
func (c CallTime) defaultMoment(named Span) time.Time {
	if named.Moment.IsZero() && named.From == c.Date {
		return c.Moment
	}
	return named.Moment
}

// ClockTime returns the clock time of a time of day on date. A time before the start of the
// day is in the night after it.
func (c CallTime) ClockTime(date string, sinceMidnight time.Duration) time.Time {
	wall := Midnight(date).Add(sinceMidnight)
	if sinceMidnight < c.DayStarts() {
		return wall.AddDate(0, 0, 1)
	}
	return wall
}

// ResolveClockTime returns the moment at which clocks in the zone show wall. If they show it twice,
// it chooses the second moment, or the first if the second is in the future. why then names the
// chosen one. If clocks never show wall, ResolveClockTime notes a problem.
func (p *Problems) ResolveClockTime(path, text string, wall time.Time, c CallTime) (moment time.Time, why string) {
	zone := c.Moment.Location()
	r := timeparse.Resolve(wall, zone)
	if r.IsSkipped() {
		p.time(path, text, &timeparse.GapError{LocalTime: timeparse.LocalTimeOf(wall), Zone: zone, Before: r.Before, After: r.After})
	}
	m, why := c.lastOccurrence(timeparse.Moment{Time: r.Time, Second: r.Second})
	return m.Time, why
}

// joinReasons joins two reasons.
func joinReasons(why, more string) string {
	if why == "" || more == "" {
		return why + more
	}
	return why + "; " + more
}

func (c CallTime) isFuture(moment time.Time) bool { return moment.After(c.Moment.Add(clockTolerance)) }

// chooseLastTime reads a time without a date. "23:30" means the most recent 23:30. "2 hours ago"
// and "2026-11-20T23:30" name their own day.
func (p *Problems) chooseLastTime(path, text string, c CallTime) EntryTime {
	since, ok := timeOfDay(text)
	if !ok {
		m, err := timeparse.Parse(text, timeparse.Context{Now: c.Moment, Zone: c.Moment.Location()})
		if err != nil || m.Date {
			p.Add(path, "a time such as \"23:30\", \"9am\" or \"2 hours ago\"", text)
			return EntryTime{}
		}
		m, note := c.lastOccurrence(m)
		date, why := c.DayOf(m.Time)
		return EntryTime{Date: date, Moment: m.Time, Why: joinReasons(why, note)}
	}
	wall := timeparse.LocalTimeOf(c.Moment).Floating().Truncate(24 * time.Hour).Add(since)
	if c.isFuture(timeparse.Resolve(wall, c.Moment.Location()).Time) {
		wall = wall.AddDate(0, 0, -1)
	}
	moment, note := p.ResolveClockTime(path, text, wall, c)
	chosen := EntryTime{Moment: moment}
	chosen.Date, chosen.Why = c.DayOf(chosen.Moment)
	if chosen.Date != c.Date && chosen.Why == "" {
		chosen.Why = "the last " + text + " was on " + InWords(chosen.Date)
	}
	chosen.Why = joinReasons(chosen.Why, note)
	return chosen
}
