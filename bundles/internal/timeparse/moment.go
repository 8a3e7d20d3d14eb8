package timeparse

import (
	"fmt"
	"strings"
	"time"
)

// Context completes a text that has no zone or no date.
type Context struct {
	Now  time.Time
	Zone *time.Location
}

// Moment is the meaning of a text.
type Moment struct {
	// Time is the moment, in Zone. For a day, a week or a month it is the
	// beginning.
	Time time.Time
	// End is the first moment after the day, week or month that the text names.
	// For any other text it equals Time.
	End time.Time
	// Date reports that the text has no time of day.
	Date bool
	// Recurrence says how often the days that the text names recur. Time is in
	// the next of them.
	Recurrence Recurrence
	// Zone is the zone in the text, or otherwise that of the context.
	Zone *time.Location
	// Second is the later moment if clocks show the time twice and no offset
	// says which is meant. Time is then the first (RFC 5545 section 3.3.5).
	// Otherwise Second is zero.
	Second time.Time
}

// IsAmbiguous reports whether the clocks show the time twice on that day.
func (m Moment) IsAmbiguous() bool { return !m.Second.IsZero() }

// GapError says that clocks never show a time, because they are put forward
// past it.
type GapError struct {
	LocalTime     LocalTime
	Zone          *time.Location
	Before, After time.Time // the last second before the gap and the moment after it, in Zone
}

func (e *GapError) Error() string {
	when := e.LocalTime.String()
	return fmt.Sprintf("%s does not exist in %s: the clock goes from %s to %s; give a time before or after that",
		when, e.Zone, e.Before.Format(time.DateTime), e.After.Format(time.DateTime+" -07:00"))
}

// FormError says that a text is not a time, or not a duration.
type FormError struct {
	Text string
	Why  string // what is wrong with it and what is accepted
}

func (e *FormError) Error() string { return brief(e.Text) + " " + e.Why }

// NotATime reports whether Why only says that the text is not a time.
func (e *FormError) NotATime() bool { return strings.HasPrefix(e.Why, notATime) }

// brief quotes and shortens a text, so that an error stays on one line.
func brief(text string) string {
	const maxBytes = 40
	for i := range text {
		if i > maxBytes {
			text = text[:i] + "…"
			break
		}
	}
	return fmt.Sprintf("%+q", text)
}

// The supported years. Others are mistakes, and a rule over centuries is
// useless.
const (
	FirstYear = 1900
	LastYear  = 2200
)

// moment converts a local time to a moment in a zone.
func moment(w LocalTime, zone *time.Location) (Moment, error) {
	r := w.In(zone)
	if r.IsSkipped() {
		return Moment{}, &GapError{LocalTime: w, Zone: zone, Before: r.Before, After: r.After}
	}
	return Moment{Time: r.Time, End: r.Time, Second: r.Second, Zone: zone}, nil
}

// days returns n whole days in a zone, beginning with the day of w. It returns
// a [*GapError] if the zone has skipped that day.
func days(w LocalTime, n int, zone *time.Location) (Moment, error) {
	first := LocalTime{Year: w.Year, Month: w.Month, Day: w.Day}
	m := Moment{Time: DayStart(first, zone), Date: true, Zone: zone}
	if m.Time.Day() != first.Day {
		r := first.In(zone)
		return Moment{}, &GapError{LocalTime: first, Zone: zone, Before: r.Before, After: r.After}
	}
	m.End = DayStart(LocalTimeOf(first.Floating().AddDate(0, 0, n)), zone)
	return m, nil
}

// DayStart returns the first moment of the day of w in that zone. That is not
// midnight if clocks are put forward past midnight. For a day that the zone has
// skipped, it returns the first moment after it.
func DayStart(w LocalTime, zone *time.Location) time.Time {
	r := LocalTime{Year: w.Year, Month: w.Month, Day: w.Day}.In(zone)
	if r.IsSkipped() {
		return r.After
	}
	return r.Time
}
