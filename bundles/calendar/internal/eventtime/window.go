package eventtime

import (
	"time"

	"kota/bundles/internal/timeparse"
)

// A Window is the time range [From, To) that a call reads.
type Window struct{ From, To time.Time }

// MaxYears bounds a window, in years.
const MaxYears = 5

// A WindowArgs holds the arguments for the time range to read.
type WindowArgs struct {
	From, To    string
	Past        bool // the window lies in the past and by default ends now
	Years, Days int  // the default length of the window
}

// Window reads the time range of a call. Without from it begins now. Without to it ends
// with the week or month that from names, or else after the default length. A window of the
// past without to ends with the week or month that from names, or else now. Without from it
// begins the default length before its end. A day named by to is included. isDefault
// reports whether the default length was used.
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
