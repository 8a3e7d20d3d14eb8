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

// A wantedSlot is the search that a call asks for.
type wantedSlot struct {
	slots.Search
	people []*invitee // the user first
	hours  slots.Hours
	days   slots.Days
	usual  bool // the call does not say how far to look
}

// Limits of a search.
const (
	usualSearch  = 14 // days
	maxSearch    = 92 // days
	longestMeet  = 24 * time.Hour
	longestPause = 24 * time.Hour
	maxNotice    = 92 * 24 * time.Hour
	stepOfSlots  = 15 * 60 // seconds
)

// readWanted reads the arguments of find_slots.
func readWanted(a *agenda.Agenda, set *agenda.Set, in SlotsArgs) (*wantedSlot, error) {
	p := &eventtime.Problems{}
	w := &wantedSlot{days: readWeekdays(p, in.Days)}
	w.Zone, w.Step = p.Zone("timezone", in.Zone, a.Zone()), stepOfSlots
	w.Length = readSeconds(p, "duration", in.Duration, time.Minute, longestMeet)
	w.Before = readSeconds(p, "buffer", in.Buffer, 0, longestPause)
	w.After = w.Before
	notice := readSeconds(p, "min_notice", in.Notice, 0, maxNotice)
	var err error
	if w.hours, err = slots.ParseHours(in.Hours); err != nil {
		p.Add("working_hours", err.Error(), in.Hours)
	}
	w.people = readInvitees(a, p, set, in.Attendees, in.Optional)
	now := a.Now()
	during, usual := readSearch(p, in.From, in.To, timeparse.Context{Now: now, Zone: w.Zone})
	w.usual = usual
	w.From, w.To = max(during.From.Unix(), now.Unix()+notice), during.To.Unix()
	if len(p.Problems) == 0 && w.From >= w.To {
		p.Add("to", "after "+timeparse.Stamp(time.Unix(w.From, 0).In(w.Zone))+", the earliest that is asked for", timeparse.Stamp(during.To.In(w.Zone)))
	}
	return w, p.Err()
}

// readSearch reads the time range of a search, and reports whether it is the usual one.
func readSearch(p *eventtime.Problems, from, to string, at timeparse.Context) (w eventtime.Window, usual bool) {
	w, usual = p.Window(eventtime.WindowArgs{From: from, To: to, Days: usualSearch}, at)
	if most := w.From.In(at.Zone).AddDate(0, 0, maxSearch); w.To.After(most) {
		p.Add("to", fmt.Sprintf("at most %d days after from, by %s", maxSearch, timeparse.Date(most)), timeparse.Stamp(w.To.In(at.Zone)))
	}
	return w, usual
}

// readSeconds reads a length of time in seconds; "" is 0.
func readSeconds(p *eventtime.Problems, path, text string, least, most time.Duration) int64 {
	if text == "" {
		return 0
	}
	length, err := timeparse.ParseLength(text)
	switch {
	case err != nil:
		p.Explain(path, "a length of time", text, err)
	case length < least, length > most:
		p.Add(path, "from "+timeparse.Length(least)+" to "+timeparse.Length(most), text)
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

// looked returns the time range in which busy times are needed.
func (w *wantedSlot) looked() slots.Span {
	return slots.Span{From: w.From - w.Before, To: w.To + w.After}
}

// checked says how many people and calendars were checked.
func (w *wantedSlot) checked() string {
	return eventtext.Counted(len(w.people), "person", "people") + ", " + eventtext.Counted(len(ids(w.people)), "calendar", "calendars")
}
