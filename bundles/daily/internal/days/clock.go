// Package days finds the day to which something belongs, and the days that words name. The
// same words name the same days in every action of the bundle.
//
// Start at Clock: it returns the tenant's current day, which can start hours after
// midnight. Problems reads the arguments of a call and collects what is wrong with them.
// Choose finds the day and time of an entry. A Period is the time that a plan or a review
// covers. Civil dates are strings such as "2026-11-20".
package days

import (
	"fmt"
	"time"

	"kota/bundles/internal/timeparse"
)

// A Clock returns a tenant's time and day.
type Clock struct {
	Now       func() time.Time
	Zone      func() *time.Location // the user's zone, with an IANA name
	DayStarts func() time.Duration  // 0 to 12 hours after midnight; anything earlier belongs to the day before
}

// DayOf returns the day to which a moment belongs in its zone. It is the clock's date, or
// the date before if the day has not started yet; why says so then.
func (c Clock) DayOf(moment time.Time) (date string, why string) {
	wall := timeparse.LocalTimeOf(moment)
	began := wall.Floating().Add(-c.DayStarts())
	date = began.Format(time.DateOnly)
	if date != wall.Floating().Format(time.DateOnly) {
		why = fmt.Sprintf("%s, the day starts at %s", moment.Format("15:04"), formatClock(c.DayStarts()))
	}
	return date, why
}

// formatClock formats a time of day: "04:00".
func formatClock(sinceMidnight time.Duration) string {
	return time.Time{}.Add(sinceMidnight).Format("15:04")
}

// InWords formats a date for people: "Friday 20 November 2026".
func InWords(date string) string {
	return Midnight(date).Format("Monday 2 January 2006")
}

// Midnight returns the start of a date in UTC, for calculations with dates. Callers have
// validated the date.
func Midnight(date string) time.Time {
	day, _ := time.Parse(time.DateOnly, date)
	return day
}

// AddDays returns the date that many days later.
func AddDays(date string, days int) string {
	return Midnight(date).AddDate(0, 0, days).Format(time.DateOnly)
}

// A CallTime is the time of a call in a zone.
type CallTime struct {
	Clock
	Moment time.Time // in that zone
	Date   string    // the day to which it belongs
	why    string    // reason why Date is not the clock's date
}

// At returns the current time in a zone.
func (c Clock) At(zone *time.Location) CallTime {
	now := c.Now().In(zone)
	today, why := c.DayOf(now)
	return CallTime{Clock: c, Moment: now, Date: today, why: why}
}

// Today returns the user's current day.
func (c Clock) Today() Period {
	day, _ := ParseName(c.At(c.Zone()).Date)
	return day
}

// LastDay returns the last day of a period, or today if the period includes today.
func (c Clock) LastDay(p Period) string {
	today := c.Today()
	if today.From() >= p.From() && today.From() <= p.To() {
		return today.From()
	}
	return p.To()
}

// tomorrow is the day after today.
func (c CallTime) tomorrow() string { return AddDays(c.Date, 1) }
