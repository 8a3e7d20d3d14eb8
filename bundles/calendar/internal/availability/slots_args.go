package availability

import (
	"fmt"
	"time"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/slots"
	"kota/bundles/internal/timeparse"
)

// A slotSearch is the search that a call asks for.
type slotSearch struct {
	slots.Search
	people       []*invitee // the user first
	hours        slots.Hours
	days         slots.Days
	defaultRange bool // the time range is the default one
}

// Limits of a search.
const (
	defaultSearchDays = 14
	maxSearchDays     = 92
	maxMeeting        = 24 * time.Hour
	maxBuffer         = 24 * time.Hour
	maxNotice         = 92 * 24 * time.Hour
	slotStep          = 15 * 60 // seconds
)

// readSlotSearch reads the arguments of find_slots.
func readSlotSearch(a *agenda.Agenda, set *agenda.Set, in SlotsArgs) (*slotSearch, error) {
	p := &eventtime.Problems{}
	w := &slotSearch{days: readWeekdays(p, in.Days)}
	w.Zone, w.Step = p.Zone("timezone", in.Zone, a.Zone()), slotStep
	w.Length = readSeconds(p, "duration", in.Duration, time.Minute, maxMeeting)
	w.Before = readSeconds(p, "buffer", in.Buffer, 0, maxBuffer)
	w.After = w.Before
	notice := readSeconds(p, "min_notice", in.Notice, 0, maxNotice)
	var err error
	if w.hours, err = slots.ParseHours(in.Hours); err != nil {
		p.Add("working_hours", err.Error(), in.Hours)
	}
	w.people = readInvitees(a, p, set, in.Attendees, in.Optional)
	now := a.Now()
	window, isDefault := readRange(p, in.From, in.To, timeparse.Context{Now: now, Zone: w.Zone})
	w.defaultRange = isDefault
	w.From, w.To = max(window.From.Unix(), now.Unix()+notice), window.To.Unix()
	if len(p.Problems) == 0 && w.From >= w.To {
		p.Add("to", "after "+timeparse.Stamp(time.Unix(w.From, 0).In(w.Zone))+", the earliest start", timeparse.Stamp(window.To.In(w.Zone)))
	}
	return w, p.Err()
}

// readRange reads the time range of a search, and reports whether it is the default one.
func readRange(p *eventtime.Problems, from, to string, at timeparse.Context) (w eventtime.Window, isDefault bool) {
	w, isDefault = p.Window(eventtime.WindowArgs{From: from, To: to, Days: defaultSearchDays}, at)
	if latest := w.From.In(at.Zone).AddDate(0, 0, maxSearchDays); w.To.After(latest) {
		p.Add("to", fmt.Sprintf("at most %d days after from, by %s", maxSearchDays, timeparse.Date(latest)), timeparse.Stamp(w.To.In(at.Zone)))
	}
	return w, isDefault
}

// readSeconds reads a length of time in seconds; "" is 0.
func readSeconds(p *eventtime.Problems, path, text string, minimum, maximum time.Duration) int64 {
	if text == "" {
		return 0
	}
	length, err := timeparse.ParseLength(text)
	switch {
	case err != nil:
		p.AddWithReason(path, "a length of time", text, err)
	case length < minimum, length > maximum:
		p.Add(path, "from "+timeparse.Length(minimum)+" to "+timeparse.Length(maximum), text)
	}
	return int64(length / time.Second)
}

// readWeekdays reads names of days. Without names it returns Monday to Friday.
func readWeekdays(p *eventtime.Problems, names []string) slots.Days {
	days := slots.Days(0)
	for i, name := range names {
		day, ok := slots.ParseDay(name)
		if !ok {
			p.Add(fmt.Sprintf("days[%d]", i), `a day such as "mon"`, name)
		}
		days |= day
	}
	if len(names) == 0 {
		return slots.Workdays
	}
	return days
}

// busyRange returns the time range in which busy times are needed.
func (w *slotSearch) busyRange() slots.Span {
	return slots.Span{From: w.From - w.Before, To: w.To + w.After}
}

// checkedWords returns the number of people and calendars that were checked, in words.
func (w *slotSearch) checkedWords() string {
	return eventtext.Counted(len(w.people), "person", "people") + ", " + eventtext.Counted(len(calendarIDs(w.people)), "calendar", "calendars")
}
