package eventtime

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/bundles/internal/timeparse"
)

// Args are the arguments for the time of an event.
type Args struct{ Start, End, Duration string }

// Defaults supply the values that the arguments leave out.
type Defaults struct {
	Context  timeparse.Context // its zone applies to times that name no zone
	Existing *Span             // the present time of the event; nil for a new one
	Length   time.Duration     // length of a timed event if neither the call nor the event has one
}

// Span reads the time of an event from the arguments. notes are remarks for the user. If
// the arguments have problems, Span adds them to p, and s is meaningless.
//
// If start is a date, the event has whole days, and end is the last day. If start is a
// time, the event lasts from start to end. Without end and duration, an existing event
// keeps its length. A new event gets the default length, or the whole days that start
// names. The same applies to an existing event that changes from whole days to times or
// back.
func (p *Problems) Span(in Args, defaults Defaults) (s Span, notes []string) {
	s, given := p.readStart(in, defaults, &notes)
	if len(p.Problems) > 0 {
		return s, notes
	}
	switch {
	case in.End != "" && in.Duration != "":
		p.Add("duration", "omitted when end is given", in.Duration)
	case in.End != "":
		p.readEnd(in.End, defaults, &s, &notes)
	case in.Duration != "":
		p.readDuration(in.Duration, &s)
	case defaults.Existing != nil && defaults.Existing.AllDay == s.AllDay && s.AllDay:
		s.End = DayAfter(s.Start, defaults.Existing.Days(), s.Zone)
	case defaults.Existing != nil && defaults.Existing.AllDay == s.AllDay:
		s.End = s.Start.Add(defaults.Existing.End.Sub(defaults.Existing.Start))
	case s.AllDay:
		s.End = given.End
	default:
		s.End = s.Start.Add(defaults.Length)
	}
	if len(p.Problems) == 0 {
		p.checkEnd(in, s)
	}
	return s, notes
}

// maxDays is the maximum length of an event in days. It applies only if the call gives an
// end or a duration.
const maxDays = 366

// checkEnd adds a problem if the span does not end after its start, or ends more than
// maxDays later.
func (p *Problems) checkEnd(in Args, s Span) {
	given := cmp.Or(in.End, in.Duration)
	end := s.End.In(s.Zone)
	switch next := end.AddDate(0, 0, 1); {
	case s.End.After(s.Start.AddDate(0, 0, maxDays)) && in.End+in.Duration != "":
		p.Add("end", fmt.Sprintf("at most %d days after the start, which is %s", maxDays, s.StartWords()), given)
	case s.End.After(s.Start):
	case !s.AllDay && next.After(s.Start) && timeparse.Date(end) == timeparse.Date(s.Start.In(s.Zone)):
		p.Add("end", "after the start, which is "+s.StartWords(), given)
		p.Suggest(next.Format("2006-01-02T15:04"))
	default:
		p.Add("end", "after the start, which is "+s.StartWords(), given)
	}
}

// readStart returns the start as a span without length, and the moment that the argument
// names. Without the argument, it returns the zero moment and the present span of the
// event. For a new event, it adds a problem instead.
func (p *Problems) readStart(in Args, defaults Defaults, notes *[]string) (Span, timeparse.Moment) {
	if in.Start == "" && defaults.Existing != nil {
		return *defaults.Existing, timeparse.Moment{}
	}
	if in.Start == "" {
		p.Add("start", "a time or a date", "")
		return Span{}, timeparse.Moment{}
	}
	m, ok := p.parseStart(in.Start, defaults)
	if !ok {
		return Span{}, m
	}
	if m.IsAmbiguous() {
		*notes = append(*notes, ambiguousNote(m))
	}
	return Span{Start: m.Time, End: m.Time, Zone: m.Zone, AllDay: m.Date}, m
}

// parseStart reads a start. For an existing event, a time of day without a date is on the
// day of the event's present start.
func (p *Problems) parseStart(text string, defaults Defaults) (timeparse.Moment, bool) {
	if defaults.Existing == nil || strings.TrimSpace(text) == "" {
		return p.readTime("start", text, defaults.Context)
	}
	m, err := timeparse.Parse("today "+text, timeparse.Context{Now: defaults.Existing.Start, Zone: defaults.Context.Zone})
	gap := (*timeparse.GapError)(nil)
	switch {
	case err == nil:
		return m, true
	case errors.As(err, &gap):
		p.AddTime("start", text, err)
		return m, false
	}
	return p.readTime("start", text, defaults.Context)
}

// readEnd reads the end of a span. If the span has whole days, the text is its last day.
func (p *Problems) readEnd(text string, defaults Defaults, s *Span, notes *[]string) {
	at := timeparse.Context{Now: defaults.Context.Now, Zone: s.Zone}
	// A time of day without a date is on the day on which the event starts.
	m, err := timeparse.Parse("today "+text, timeparse.Context{Now: s.Start, Zone: s.Zone})
	if gap := (*timeparse.GapError)(nil); s.AllDay || err != nil && !errors.As(err, &gap) {
		m, err = timeparse.Parse(text, at)
	}
	switch {
	case err != nil:
		p.AddTime("end", text, err)
		return
	case m.Date != s.AllDay && s.AllDay:
		p.Add("end", "a date, like start: the last day of the event", text)
		return
	case m.Date != s.AllDay:
		p.Add("end", `a time, like start, such as "`+timeparse.Date(s.Start)+`T`+s.Start.Add(time.Hour).Format("15:04")+`"`, text)
		return
	case s.AllDay:
		s.End = m.End
		return
	}
	s.End = m.Time
	if m.IsAmbiguous() && !s.End.After(s.Start) {
		s.End = m.Second
		return
	}
	if m.IsAmbiguous() {
		*notes = append(*notes, ambiguousNote(m))
	}
}

// readDuration sets the end of a span from its length. For whole days the length must be a
// number of days.
func (p *Problems) readDuration(text string, s *Span) {
	length, err := timeparse.ParseLength(text)
	switch day := 24 * time.Hour; {
	case err != nil:
		p.AddWithReason("duration", "a length of time", text, err)
	case length <= 0:
		p.Add("duration", "more than zero", text)
	case s.AllDay && length%day != 0:
		p.Add("duration", `whole days, because start is a date: "2 days"`, text)
	case s.AllDay:
		s.End = DayAfter(s.Start, int(length/day), s.Zone)
	default:
		s.End = s.Start.Add(length)
	}
}

// ambiguousNote returns the note that the first of two moments was taken, because clocks
// show the same time twice.
func ambiguousNote(m timeparse.Moment) string {
	first, second := m.Time.In(m.Zone), m.Second.In(m.Zone)
	return fmt.Sprintf("%s happens twice that night; this is the first, %s, not the second, %s", first.Format("15:04"), first.Format("-07:00"), second.Format("-07:00"))
}
