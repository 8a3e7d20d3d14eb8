package eventtime

import (
	"time"

	"kota/bundles/internal/timeparse"
)

// A Window is the time that a read looks at: from the first moment until before
// the second.
type Window struct{ From, To time.Time }

// MaxYears bounds a window, in years.
const MaxYears = 5

// A WindowArgs are the arguments that say what a read is to look at.
type WindowArgs struct {
	From, To    string
	Past        bool // it looks back: it ends now where nothing says otherwise
	Years, Days int  // how far it looks where nothing says it
}

// Window reads what a read is to look at. Without from it begins now, and
// without to it ends with the week or month that from names, or else as far on as
// is usual. A window of the past ends now without to, and begins as far back as
// is usual without from. A day that to names is part of it. usual reports whether
// nothing said how far it looks.
func (p *Problems) Window(in WindowArgs, at timeparse.Context) (w Window, usual bool) {
	now := at.Now.In(at.Zone).Truncate(time.Second)
	w = Window{From: now, To: now}
	named := false
	if in.From != "" {
		m, ok := p.moment("from", in.From, at)
		if !ok {
			return w, false
		}
		w.From, named = m.Time, m.End.Sub(m.Time) >= 3*24*time.Hour
		if named {
			w.To = m.End
		}
	}
	if in.To != "" {
		m, ok := p.moment("to", in.To, at)
		if !ok {
			return w, false
		}
		w.To = m.End
	}
	switch {
	case in.Past && in.From == "":
		w.From, usual = w.To.In(at.Zone).AddDate(-in.Years, 0, -in.Days), true
	case !in.Past && in.To == "" && !named:
		w.To, usual = w.From.In(at.Zone).AddDate(in.Years, 0, in.Days), true
	}
	switch after := "after from, which is " + timeparse.Stamp(w.From.In(at.Zone)); {
	case !w.To.After(w.From):
		p.Add("to", after, timeparse.Stamp(w.To.In(at.Zone)))
	case w.To.After(w.From.AddDate(MaxYears, 0, 0)):
		p.Add("to", "at most 5 years "+after, timeparse.Stamp(w.To.In(at.Zone)))
	}
	return w, usual
}
