package days

import (
	"strings"
	"time"

	"kota/bundles/internal/timeparse"
)

// A Chosen is where an entry goes: its day, chosen once, and its moment.
type Chosen struct {
	Date       string
	Moment     time.Time // in the zone whose clocks it was read from; zero where nobody said a time
	Zone       string    // IANA's name of where the entry was told
	Why        string    // it is this day; "" where that is plain
	Backfilled bool      // the day had ended when it was logged
}

// ahead is how far clocks may differ before a time is one to come.
const ahead = 5 * time.Minute

// Choose chooses the day of an entry by the arguments date and time of that
// path. A date is the day itself, so that a time before the day starts is in
// the night after it, and one without a time has none, unless it is today; a
// time alone is the last one that has been; without both it is now. What is
// wrong is noted, and there is no such place: its date is "" then.
func (p *Problems) Choose(path, date, at string, c Present) Chosen {
	var chosen Chosen
	switch {
	case date == "" && at == "":
		chosen = Chosen{Date: c.Date, Moment: c.Moment, Why: c.why}
	case date == "":
		chosen = p.lastTime(path+"time", at, c)
	default:
		chosen = p.onDate(path, date, at, c)
	}
	chosen.Backfilled, chosen.Zone = chosen.Date < c.Date, chosen.Moment.Location().String()
	if chosen.Moment.IsZero() {
		chosen.Zone = c.Moment.Location().String()
	}
	if chosen.Date > c.tomorrow() {
		p.Add(path+"date", "at most tomorrow, "+c.tomorrow()+": what is to come is no entry", chosen.Date)
		p.Hint = "Nothing was done. Plan a day to come with daily_plan, or add a task with a due date with daily_task."
		return Chosen{}
	}
	return chosen
}

// onDate places an entry on a date, at a time of day where one is given.
func (p *Problems) onDate(path, date, at string, c Present) Chosen {
	named, ok := p.Days(path+"date", date, c)
	if !ok {
		return Chosen{}
	}
	if named.From != named.To {
		p.Add(path+"date", "one day, of those from "+named.From+" to "+named.To, date)
		return Chosen{}
	}
	chosen := Chosen{Date: named.From, Why: named.Why}
	if at == "" {
		chosen.Moment = c.momentOf(named)
		return chosen
	}
	since, ok := timeOfDay(at)
	if !ok {
		exact := p.lastTime(path+"time", at, c)
		if exact.Date != "" && exact.Date != chosen.Date {
			p.Add(path+"time", "a time of day such as \"23:30\", of "+chosen.Date, at)
		}
		chosen.Moment = exact.Moment
		return chosen
	}
	if c.DayStarts() == 0 && strings.HasPrefix(strings.TrimSpace(at), "24") {
		p.Add(path+"time", "a time of "+chosen.Date+", the last being 23:59", at)
	}
	if since < c.DayStarts() {
		chosen.Why = at + " is in the night after it: the day starts at " + clock(c.DayStarts())
	}
	moment, twice := p.At(path+"time", at, c.OnClock(chosen.Date, since), c)
	chosen.Moment, chosen.Why = moment, both(chosen.Why, twice)
	return chosen
}

// momentOf is the moment of an entry of a day for which no time is given: zero
// on any day but today.
func (c Present) momentOf(named Span) time.Time {
	if named.Moment.IsZero() && named.From == c.Date {
		return c.Moment
	}
	return named.Moment
}

// OnClock is what clocks show at a time of a day: one before the day starts is
// in the night after it.
func (c Present) OnClock(date string, sinceMidnight time.Duration) time.Time {
	wall := Midnight(date).Add(sinceMidnight)
	if sinceMidnight < c.DayStarts() {
		return wall.AddDate(0, 0, 1)
	}
	return wall
}

// At is the moment at which the clocks show a time: of two the last that has
// been, which why tells.
func (p *Problems) At(path, text string, wall time.Time, c Present) (moment time.Time, why string) {
	zone := c.Moment.Location()
	r := timeparse.Place(wall, zone)
	if r.Never() {
		p.time(path, text, &timeparse.GapError{Wall: timeparse.WallOf(wall), Zone: zone, Before: r.Before, After: r.After})
	}
	m, why := c.latestOf(timeparse.Moment{Time: r.Time, Second: r.Second})
	return m.Time, why
}

// both are two reasons as one.
func both(why, more string) string {
	if why == "" || more == "" {
		return why + more
	}
	return why + "; " + more
}

func (c Present) isAhead(moment time.Time) bool { return moment.After(c.Moment.Add(ahead)) }

// lastTime places an entry at a time without a date: "23:30" is the last one that
// has been, "2 hours ago" and "2026-11-20T23:30" say the day themselves.
func (p *Problems) lastTime(path, text string, c Present) Chosen {
	since, ok := timeOfDay(text)
	if !ok {
		m, err := timeparse.Parse(text, timeparse.Context{Now: c.Moment, Zone: c.Moment.Location()})
		if err != nil || m.Date {
			p.Add(path, "a time such as \"23:30\", \"9am\" or \"2 hours ago\"", text)
			return Chosen{}
		}
		m, twice := c.latestOf(m)
		date, why := c.DayOf(m.Time)
		return Chosen{Date: date, Moment: m.Time, Why: both(why, twice)}
	}
	wall := timeparse.WallOf(c.Moment).Floating().Truncate(24 * time.Hour).Add(since)
	if c.isAhead(timeparse.Place(wall, c.Moment.Location()).Time) {
		wall = wall.AddDate(0, 0, -1)
	}
	moment, twice := p.At(path, text, wall, c)
	chosen := Chosen{Moment: moment}
	chosen.Date, chosen.Why = c.DayOf(chosen.Moment)
	if chosen.Date != c.Date && chosen.Why == "" {
		chosen.Why = "the last " + text + " was on " + InWords(chosen.Date)
	}
	chosen.Why = both(chosen.Why, twice)
	return chosen
}
