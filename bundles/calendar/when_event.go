package calendar

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/bundles/internal/timeparse"
)

// whenIn are the arguments that say when an event is to take place.
type whenIn struct{ Start, End, Duration string }

// A placing is what whenIn is read by.
type placing struct {
	at    timeparse.Context // its zone is that of a time without one
	was   *span             // when the event takes place so far; nil for a new one
	usual time.Duration     // of an event with a time, when nothing says how long it is
}

// span reads when an event is to take place, and what its user has to know of
// it. What is wrong is noted: then the answer means nothing.
//
// Two dates make whole days, of which the end is the last one; two times make a
// span from one to the other. Without end and duration an event keeps its
// length; a new one takes as long as usual, or the days that start names.
func (p *problems) span(in whenIn, by placing) (s span, notes []string) {
	s, given := p.begin(in, by, &notes)
	if len(p.Problems) > 0 {
		return s, notes
	}
	switch {
	case in.End != "" && in.Duration != "":
		p.Add("duration", "left out when end is given", in.Duration)
	case in.End != "":
		p.end(in.End, by, &s, &notes)
	case in.Duration != "":
		p.duration(in.Duration, &s)
	case by.was != nil && by.was.allDay == s.allDay && s.allDay:
		s.end = dayAfter(s.start, by.was.days(), s.zone)
	case by.was != nil && by.was.allDay == s.allDay:
		s.end = s.start.Add(by.was.end.Sub(by.was.start))
	case s.allDay:
		s.end = given.End
	default:
		s.end = s.start.Add(by.usual)
	}
	if len(p.Problems) == 0 {
		p.bounded(in, s)
	}
	return s, notes
}

// mostDays bounds how long an event may take that is made or is given an end.
const mostDays = 366

// bounded notes that a span ends before it begins, or years after that.
func (p *problems) bounded(in whenIn, s span) {
	said := cmp.Or(in.End, in.Duration)
	ends := s.end.In(s.zone)
	switch next := ends.AddDate(0, 0, 1); {
	case s.end.After(s.start.AddDate(0, 0, mostDays)) && in.End+in.Duration != "":
		p.Add("end", fmt.Sprintf("at most %d days after the start, which is %s", mostDays, s.begins()), said)
	case s.end.After(s.start):
	case !s.allDay && next.After(s.start) && timeparse.Date(ends) == timeparse.Date(s.start.In(s.zone)):
		p.Add("end", "after the start, which is "+s.begins(), said)
		p.suggest(next.Format("2006-01-02T15:04"))
	default:
		p.Add("end", "after the start, which is "+s.begins(), said)
	}
}

// begin reads the start, which is the event's own where none is given.
func (p *problems) begin(in whenIn, by placing, notes *[]string) (span, timeparse.Moment) {
	if in.Start == "" && by.was != nil {
		return *by.was, timeparse.Moment{}
	}
	if in.Start == "" {
		p.Add("start", "a time or a date", "")
		return span{}, timeparse.Moment{}
	}
	m, ok := p.startAt(in.Start, by)
	if !ok {
		return span{}, m
	}
	if m.Twice() {
		*notes = append(*notes, twice(m))
	}
	return span{start: m.Time, end: m.Time, zone: m.Zone, allDay: m.Date}, m
}

// startAt reads a start. A time of day alone, "10:00" or "3pm", is one of the day
// on which the event starts so far.
func (p *problems) startAt(text string, by placing) (timeparse.Moment, bool) {
	if by.was == nil || strings.TrimSpace(text) == "" {
		return p.moment("start", text, by.at)
	}
	m, err := timeparse.Parse("today "+text, timeparse.Context{Now: by.was.start, Zone: by.at.Zone})
	gap := (*timeparse.GapError)(nil)
	switch {
	case err == nil:
		return m, true
	case errors.As(err, &gap):
		p.time("start", text, err)
		return m, false
	}
	return p.moment("start", text, by.at)
}

// end reads the end of a span: of whole days the last day.
func (p *problems) end(text string, by placing, s *span, notes *[]string) {
	at := timeparse.Context{Now: by.at.Now, Zone: s.zone}
	// A time of day alone is one of the day on which the event starts.
	m, err := timeparse.Parse("today "+text, timeparse.Context{Now: s.start, Zone: s.zone})
	if gap := (*timeparse.GapError)(nil); s.allDay || err != nil && !errors.As(err, &gap) {
		m, err = timeparse.Parse(text, at)
	}
	switch {
	case err != nil:
		p.time("end", text, err)
		return
	case m.Date != s.allDay && s.allDay:
		p.Add("end", "a date, as start is: the last day of the event", text)
		return
	case m.Date != s.allDay:
		p.Add("end", `a time, as start has one, such as "`+timeparse.Date(s.start)+`T`+s.start.Add(time.Hour).Format("15:04")+`"`, text)
		return
	case s.allDay:
		s.end = m.End
		return
	}
	s.end = m.Time
	if m.Twice() && !s.end.After(s.start) {
		s.end = m.Second
		return
	}
	if m.Twice() {
		*notes = append(*notes, twice(m))
	}
}

// duration ends a span after some time: whole days after so many days.
func (p *problems) duration(text string, s *span) {
	length, err := timeparse.ParseLength(text)
	switch day := 24 * time.Hour; {
	case err != nil:
		p.explain("duration", "a length of time", text, err)
	case length <= 0:
		p.Add("duration", "more than nothing", text)
	case s.allDay && length%day != 0:
		p.Add("duration", `whole days, since start is a date: "2 days"`, text)
	case s.allDay:
		s.end = dayAfter(s.start, int(length/day), s.zone)
	default:
		s.end = s.start.Add(length)
	}
}

// twice says which of two moments was taken that clocks show the same for.
func twice(m timeparse.Moment) string {
	first, second := m.Time.In(m.Zone), m.Second.In(m.Zone)
	return fmt.Sprintf("%s happens twice that night; this is the first, %s, and not the second, %s", first.Format("15:04"), first.Format("-07:00"), second.Format("-07:00"))
}
