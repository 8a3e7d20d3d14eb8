package calendar

import (
	"errors"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/zoned"
)

// problems are those of a call's arguments.
type problems struct{ arguments.Problems }

// zone reads an argument that names a time zone. "" is the usual one.
func (p *problems) zone(path, name string, usual *time.Location) *time.Location {
	if name == "" {
		return usual
	}
	zone, err := zoned.Zone(name)
	if err != nil {
		p.time(path, name, err)
		return usual
	}
	return zone
}

// moment reads an argument that is a time. It reports false, and notes what is
// wrong, when there is none.
func (p *problems) moment(path, text string, at zoned.Context) (zoned.Moment, bool) {
	m, err := zoned.Parse(text, at)
	if err != nil {
		p.time(path, text, err)
	}
	return m, err == nil
}

// time notes why a text is no time, no zone or no length.
func (p *problems) time(path, text string, err error) {
	gap, zone := (*zoned.GapError)(nil), (*zoned.ZoneError)(nil)
	switch {
	case errors.As(err, &gap):
		p.suggest(path, "a time that clocks show: "+err.Error(), text, zoned.RFC3339(gap.After))
	case errors.As(err, &zone) && len(zone.Near) > 0:
		p.suggest(path, "a time zone: "+err.Error(), text, zone.Near[0])
	case errors.As(err, &zone):
		p.Add(path, "a time zone: "+err.Error(), text)
	default:
		p.Add(path, "a time: "+err.Error(), text)
	}
}

// suggest is Add with a value that would do.
func (p *problems) suggest(path, expected, got, suggestion string) {
	p.Add(path, expected, got)
	p.Problems[len(p.Problems)-1].Suggestion = suggestion
}

// A window is the time that a read looks at: from the first moment until before
// the second.
type window struct{ from, to time.Time }

// The bounds of a window.
const (
	usualWindow = 7 // days
	mostWindow  = 5 // years
)

// window reads what a read is to look at. Without from it begins now, and
// without to it ends with the week or month that from names, or else a week on.
// A day that to names is part of it.
func (p *problems) window(from, to string, at zoned.Context) window {
	w := window{from: at.Now.In(at.Zone).Truncate(time.Second)}
	named := zoned.Moment{Time: w.from, End: w.from}
	if from != "" {
		m, ok := p.moment("from", from, at)
		if !ok {
			return w
		}
		w.from, named = m.Time, m
	}
	w.to = w.from.In(at.Zone).AddDate(0, 0, usualWindow)
	if named.End.Sub(named.Time) > 2*24*time.Hour {
		w.to = named.End
	}
	if to != "" {
		m, ok := p.moment("to", to, at)
		if !ok {
			return w
		}
		w.to = m.End
	}
	switch after := "after from, which is " + zoned.Stamp(w.from.In(at.Zone)); {
	case !w.to.After(w.from):
		p.Add("to", after, zoned.Stamp(w.to.In(at.Zone)))
	case w.to.After(w.from.AddDate(mostWindow, 0, 0)):
		p.Add("to", "at most 5 years "+after, zoned.Stamp(w.to.In(at.Zone)))
	}
	return w
}
