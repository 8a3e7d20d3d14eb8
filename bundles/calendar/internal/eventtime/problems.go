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

// moment reads a time from an argument. It reports false, and notes why, if it cannot.
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
