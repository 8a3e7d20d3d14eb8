package daily

import (
	"strings"
	"time"

	"kota/bundles/internal/timeparse"
)

// A place is where an entry goes: its day, chosen once, and its moment.
type place struct {
	date       string
	moment     time.Time // in the zone whose clocks it was read from; zero where nobody said a time
	zone       string    // IANA's name of where the entry was told
	why        string    // it is this day; "" where that is plain
	backfilled bool      // the day had ended when it was logged
}

// ahead is how far clocks may differ before a time is one to come.
const ahead = 5 * time.Minute

// choose chooses the day of an entry by the arguments date and time of that
// path. A date is the day itself, so that a time before the day starts is in
// the night after it, and one without a time has none, unless it is today; a
// time alone is the last one that has been; without both it is now. What is
// wrong is noted, and there is no such place: its date is "" then.
func (p *problems) choose(path, date, at string, c present) place {
	var chosen place
	switch {
	case date == "" && at == "":
		chosen = place{date: c.today, moment: c.now, why: c.why}
	case date == "":
		chosen = p.lastTime(path+"time", at, c)
	default:
		chosen = p.onDate(path, date, at, c)
	}
	chosen.backfilled, chosen.zone = chosen.date < c.today, chosen.moment.Location().String()
	if chosen.moment.IsZero() {
		chosen.zone = c.now.Location().String()
	}
	if chosen.date > c.tomorrow() {
		p.Add(path+"date", "at most tomorrow, "+c.tomorrow()+": what is to come is no entry", chosen.date)
		p.hint = "Nothing was done. Plan a day to come with daily_plan, or add a task with a due date with daily_task."
		return place{}
	}
	return chosen
}

// onDate places an entry on a date, at a time of day where one is given.
func (p *problems) onDate(path, date, at string, c present) place {
	named, ok := p.days(path+"date", date, c)
	if !ok {
		return place{}
	}
	if named.from != named.to {
		p.Add(path+"date", "one day, of those from "+named.from+" to "+named.to, date)
		return place{}
	}
	chosen := place{date: named.from, why: named.why}
	if at == "" {
		chosen.moment = c.momentOf(named)
		return chosen
	}
	since, ok := timeOfDay(at)
	if !ok {
		exact := p.lastTime(path+"time", at, c)
		if exact.date != "" && exact.date != chosen.date {
			p.Add(path+"time", "a time of day such as \"23:30\", of "+chosen.date, at)
		}
		chosen.moment = exact.moment
		return chosen
	}
	if c.DayStarts() == 0 && strings.HasPrefix(strings.TrimSpace(at), "24") {
		p.Add(path+"time", "a time of "+chosen.date+", the last being 23:59", at)
	}
	if since < c.DayStarts() {
		chosen.why = at + " is in the night after it: the day starts at " + clock(c.DayStarts())
	}
	moment, twice := p.at(path+"time", at, c.onClock(chosen.date, since), c)
	chosen.moment, chosen.why = moment, both(chosen.why, twice)
	return chosen
}

// momentOf is the moment of an entry of a day for which no time is given: zero
// on any day but today.
func (c present) momentOf(named span) time.Time {
	if named.moment.IsZero() && named.from == c.today {
		return c.now
	}
	return named.moment
}

// onClock is what clocks show at a time of a day: one before the day starts is
// in the night after it.
func (c present) onClock(date string, sinceMidnight time.Duration) time.Time {
	wall := floating(date).Add(sinceMidnight)
	if sinceMidnight < c.DayStarts() {
		return wall.AddDate(0, 0, 1)
	}
	return wall
}

// at is the moment at which the clocks show a time: of two the last that has
// been, which why tells.
func (p *problems) at(path, text string, wall time.Time, c present) (moment time.Time, why string) {
	zone := c.now.Location()
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

func (c present) isAhead(moment time.Time) bool { return moment.After(c.now.Add(ahead)) }

// lastTime places an entry at a time without a date: "23:30" is the last one that
// has been, "2 hours ago" and "2026-11-20T23:30" say the day themselves.
func (p *problems) lastTime(path, text string, c present) place {
	since, ok := timeOfDay(text)
	if !ok {
		m, err := timeparse.Parse(text, timeparse.Context{Now: c.now, Zone: c.now.Location()})
		if err != nil || m.Date {
			p.Add(path, "a time such as \"23:30\", \"9am\" or \"2 hours ago\"", text)
			return place{}
		}
		m, twice := c.latestOf(m)
		date, why := c.dayOf(m.Time)
		return place{date: date, moment: m.Time, why: both(why, twice)}
	}
	wall := timeparse.WallOf(c.now).Floating().Truncate(24 * time.Hour).Add(since)
	if c.isAhead(timeparse.Place(wall, c.now.Location()).Time) {
		wall = wall.AddDate(0, 0, -1)
	}
	moment, twice := p.at(path, text, wall, c)
	chosen := place{moment: moment}
	chosen.date, chosen.why = c.dayOf(chosen.moment)
	if chosen.date != c.today && chosen.why == "" {
		chosen.why = "the last " + text + " was on " + weekday(chosen.date)
	}
	chosen.why = both(chosen.why, twice)
	return chosen
}
