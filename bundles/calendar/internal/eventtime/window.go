package eventtime

import (
	"time"

	"kota/bundles/internal/timeparse"
)

// A Window is the time range [From, To) that a call reads.
type Window struct{ From, To time.Time }

// MaxYears is the maximum length of a window, in years.
const MaxYears = 5

// A WindowArgs holds the arguments for the time range to read.
type WindowArgs struct {
	From, To    string
	Past        bool // the window lies in the past and by default ends now
	Years, Days int  // the default length of the window
}

// Window reads the time range of a call. A missing from means now. A missing to means the
// end of the week or month that from names, or else the default length after from. For a
// window of the past, a missing to means the end of that week or month, or else now. Its
// missing from means the default length before its end. A window includes the day that to
// names. isDefault reports whether the default length was used.
func (p *Problems) Window(in WindowArgs, at timeparse.Context) (w Window, isDefault bool) {
	now := at.Now.In(at.Zone).Truncate(time.Second)
	w = Window{From: now, To: now}
	named := false
	if in.From != "" {
		m, ok := p.readTime("from", in.From, at)
		if !ok {
			return w, false
		}
		w.From, named = m.Time, m.End.Sub(m.Time) >= 3*24*time.Hour
		if named {
			w.To = m.End
		}
	}
	if in.To != "" {
		m, ok := p.readTime("to", in.To, at)
		if !ok {
			return w, false
		}
		w.To = m.End
	}
	switch {
	case in.Past && in.From == "":
		w.From, isDefault = w.To.In(at.Zone).AddDate(-in.Years, 0, -in.Days), true
	case !in.Past && in.To == "" && !named:
		w.To, isDefault = w.From.In(at.Zone).AddDate(in.Years, 0, in.Days), true
	}
	switch after := "after from, which is " + timeparse.Stamp(w.From.In(at.Zone)); {
	case !w.To.After(w.From):
		p.Add("to", after, timeparse.Stamp(w.To.In(at.Zone)))
	case w.To.After(w.From.AddDate(MaxYears, 0, 0)):
		p.Add("to", "at most 5 years "+after, timeparse.Stamp(w.To.In(at.Zone)))
	}
	return w, isDefault
}
