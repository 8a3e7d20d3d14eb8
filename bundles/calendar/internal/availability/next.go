package availability

import (
	"time"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/slots"
	"kota/bundles/internal/timeparse"
)

// newSearchAfter returns the search for the next free time after the requested time.
func newSearchAfter(a *agenda.Agenda, when eventtime.Span, zone *time.Location, people []*invitee) *slotSearch {
	w := &slotSearch{people: people, days: slots.Workdays, hours: defaultHours}
	w.Zone, w.Step, w.Length = zone, slotStep, int64(when.End.Sub(when.Start)/time.Second)
	w.From = max(when.End.Unix(), a.Now().Unix())
	w.To = w.From + defaultSearchDays*secondsPerDay
	day := slots.Person{Zone: zone, Hours: w.hours, Days: w.days}
	switch {
	case when.AllDay, w.Length > secondsPerDay/2:
		w.days, w.hours = slots.AllDays, slots.Always
	case !day.Works(slots.Span{From: when.Start.Unix(), To: when.End.Unix()}):
		w.days, w.hours = slots.AllDays, slots.Always
		people[0].hours = hoursAround(when, zone)
	}
	for _, one := range people {
		if one.hours == nil {
			one.hours = w.hours
		}
	}
	return w
}

// hoursAround returns hours around the time of the span. Any other time in these hours is
// assumed to suit as well.
func hoursAround(when eventtime.Span, zone *time.Location) slots.Hours {
	const before, after = 60, 120 // minutes
	start := when.Start.In(zone)
	open := max(0, start.Hour()*60+start.Minute()-before)
	return slots.Hours{{Open: open, Close: open + before + int(when.End.Sub(when.Start)/time.Minute) + after}}
}

// nextSlot returns a time of the same length at which nobody is known to be busy, or nil.
// It prefers the first such time at which everybody is free. Otherwise it is the first in
// the order of slots.Search.Find.
func (w *slotSearch) nextSlot(when eventtime.Span) *Slot {
	if when.AllDay {
		return w.nextWholeDays(when)
	}
	found := w.Find()
	if len(found) == 0 {
		return nil
	}
	row := w.rows(found[:1])[0]
	row.Latest = ""
	return &row
}

// nextWholeDays is nextSlot for whole days, which differ in length. It prefers days on
// which everybody is free to days on which somebody may be busy.
func (w *slotSearch) nextWholeDays(when eventtime.Span) (next *Slot) {
	for day := range defaultSearchDays {
		start := eventtime.DayAfter(when.End, day, w.Zone)
		s := eventtime.Span{Start: start, End: eventtime.DayAfter(start, when.Days(), w.Zone), Zone: w.Zone, AllDay: true}
		if start.Unix() < w.From {
			continue
		}
		if s.End.Unix() > w.To {
			break // busy times are known only until w.To
		}
		status, unknown := "free", []int{}
		for i, p := range w.People {
			one := availableAt(s, w.Zone, p, nil).Status
			if status = worseStatus(status, one); one == "unknown" {
				unknown = append(unknown, i)
			}
		}
		row := &Slot{Start: timeparse.Date(start), When: s.Words(w.Zone), Unconfirmed: w.someNames(unknown)}
		switch {
		case status == "free":
			return row
		case status == "unknown" && next == nil:
			next = row
		}
	}
	return next
}
