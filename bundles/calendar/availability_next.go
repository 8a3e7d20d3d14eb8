package calendar

import (
	"time"

	"kota/bundles/internal/slots"
	"kota/bundles/internal/timeparse"
)

// after is the search for the next time after the one asked for.
func (a *agenda) after(when span, zone *time.Location, people []*invitee) *wantedSlot {
	w := &wantedSlot{people: people, days: slots.Workdays, hours: officeHours}
	w.Zone, w.Step, w.Length = zone, stepOfSlots, int64(when.end.Sub(when.start)/time.Second)
	w.From = max(when.end.Unix(), a.Now().Unix())
	w.To = w.From + usualSearch*secondsPerDay
	day := slots.Person{Zone: zone, Hours: w.hours, Days: w.days}
	switch {
	case when.allDay, w.Length > secondsPerDay/2:
		w.days, w.hours = slots.AllDays, slots.Always
	case !day.Works(slots.Span{From: when.start.Unix(), To: when.end.Unix()}):
		w.days, w.hours = slots.AllDays, slots.Always
		people[0].hours = around(when, zone)
	}
	for _, one := range people {
		if one.hours == nil {
			one.hours = w.hours
		}
	}
	return w
}

// around are the hours of the day about those of the span, in which another
// time would be as good.
func around(when span, zone *time.Location) slots.Hours {
	const before, after = 60, 120 // minutes
	start := when.start.In(zone)
	open := max(0, start.Hour()*60+start.Minute()-before)
	return slots.Hours{{Open: open, Close: open + before + int(when.end.Sub(when.start)/time.Minute) + after}}
}

// next is the first time that suits all, for as long as the span; nil when there
// is none.
func (w *wantedSlot) next(when span) *slotRow {
	if when.allDay {
		return w.nextDays(when)
	}
	found := w.Find()
	if len(found) == 0 {
		return nil
	}
	row := w.rows(found[:1])[0]
	row.Latest = ""
	return &row
}

// nextDays is next for whole days, which are not all equally long. Days on which
// somebody may be busy come after those on which all are free.
func (w *wantedSlot) nextDays(when span) (next *slotRow) {
	for day := range usualSearch {
		start := dayAfter(when.end, day, w.Zone)
		s := span{start: start, end: dayAfter(start, when.days(), w.Zone), zone: w.Zone, allDay: true}
		if start.Unix() < w.From {
			continue
		}
		if s.end.Unix() > w.To {
			break // nobody was asked about that
		}
		status, unknown := "free", []int{}
		for i, p := range w.People {
			one := availableAt(s, w.Zone, p, nil).Status
			if status = worse(status, one); one == "unknown" {
				unknown = append(unknown, i)
			}
		}
		row := &slotRow{Start: timeparse.Date(start), When: s.words(w.Zone), Unconfirmed: w.some(unknown)}
		switch {
		case status == "free":
			return row
		case status == "unknown" && next == nil:
			next = row
		}
	}
	return next
}
