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

// Problems are the problems of a call's arguments. If a problem needs a sentence of
// explanation, only the error message contains that sentence.
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

// Zone reads an argument that names a time zone. "" means the usual zone.
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

// Time adds a problem for a text that is not a time, a zone or a length, with the
// reason from err.
func (p *Problems) Time(path, text string, err error) {
	wanted, instead := timeparse.Wanted(err)
	p.Explain(path, wanted, text, err)
	p.Suggest(instead)
}

// Suggest adds a value that would work to the last problem.
func (p *Problems) Suggest(value string) { p.Problems[len(p.Problems)-1].Suggestion = value }
