package eventtime

import (
	"errors"
	"maps"
	"slices"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// Problems are those of a call's arguments. Where it takes a sentence to say
// what is wrong, the message of the error has it, and the problem does not say
// it again.
type Problems struct {
	arguments.Problems
	because map[string]string // sentences by path
}

// Explain is Add with a sentence that says what is wrong.
func (p *Problems) Explain(path, expected, got string, wrong error) {
	p.Add(path, expected, got)
	if p.because == nil {
		p.because = map[string]string{}
	}
	p.because[path] = wrong.Error()
}

// Join adds the problems of others.
func (p *Problems) Join(others Problems) {
	p.Problems = append(p.Problems, others.Problems...)
	if p.because == nil {
		p.because = others.because
		return
	}
	maps.Copy(p.because, others.because)
}

// Err returns nil, or a VALIDATION_ERROR that lists the problems.
func (p *Problems) Err() error {
	err := p.Problems.Err()
	e := (*metadata.Error)(nil)
	if len(p.because) == 0 || !errors.As(err, &e) {
		return err
	}
	said := slices.Clone(p.Problems)
	for i := range said {
		if why := p.because[said[i].Path]; why != "" {
			said[i].Expected += ": " + why
		}
	}
	e.Message = metadata.Invalid(said).Message
	return e
}

// Zone reads an argument that names a time zone. "" is the usual one.
func (p *Problems) Zone(path, name string, usual *time.Location) *time.Location {
	if name == "" {
		return usual
	}
	zone, err := timeparse.Zone(name)
	if err != nil {
		p.Time(path, name, err)
		return usual
	}
	return zone
}

// moment reads an argument that is a time. It reports false, and notes what is
// wrong, when there is none.
func (p *Problems) moment(path, text string, at timeparse.Context) (timeparse.Moment, bool) {
	m, err := timeparse.Parse(text, at)
	if err != nil {
		p.Time(path, text, err)
	}
	return m, err == nil
}

// Time notes why a text is no time, no zone or no length.
func (p *Problems) Time(path, text string, err error) {
	wanted, instead := timeparse.Wanted(err)
	p.Explain(path, wanted, text, err)
	p.Suggest(instead)
}

// Suggest says what would do instead of what was noted last.
func (p *Problems) Suggest(value string) { p.Problems[len(p.Problems)-1].Suggestion = value }

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
