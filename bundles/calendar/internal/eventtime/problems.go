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
	reasons map[string]string // explanations, keyed by the path of the argument
}

// AddWithReason is Add with a reason that explains the problem.
func (p *Problems) AddWithReason(path, expected, got string, reason error) {
	p.Add(path, expected, got)
	if p.reasons == nil {
		p.reasons = map[string]string{}
	}
	p.reasons[path] = reason.Error()
}

// Join adds all problems in others.
func (p *Problems) Join(others Problems) {
	p.Problems = append(p.Problems, others.Problems...)
	if p.reasons == nil {
		p.reasons = others.reasons
		return
	}
	maps.Copy(p.reasons, others.reasons)
}

// Err returns nil, or a VALIDATION_ERROR that lists the problems.
func (p *Problems) Err() error {
	err := p.Problems.Err()
	e := (*metadata.Error)(nil)
	if len(p.reasons) == 0 || !errors.As(err, &e) {
		return err
	}
	explained := slices.Clone(p.Problems)
	for i := range explained {
		if why := p.reasons[explained[i].Path]; why != "" {
			explained[i].Expected += ": " + why
		}
	}
	e.Message = metadata.Invalid(explained).Message
	return e
}

// Zone reads an argument that names a time zone. It returns defaultZone for "", and for an
// unknown zone, which it adds as a problem.
func (p *Problems) Zone(path, name string, defaultZone *time.Location) *time.Location {
	if name == "" {
		return defaultZone
	}
	zone, err := timeparse.Zone(name)
	if err != nil {
		p.AddTime(path, name, err)
		return defaultZone
	}
	return zone
}

// readTime reads a time from an argument. If the text is not a time, it adds a problem
// and returns false.
func (p *Problems) readTime(path, text string, at timeparse.Context) (timeparse.Moment, bool) {
	m, err := timeparse.Parse(text, at)
	if err != nil {
		p.AddTime(path, text, err)
	}
	return m, err == nil
}

// AddTime adds a problem for a text that cannot be read as a time or a zone. err has the
// reason.
func (p *Problems) AddTime(path, text string, err error) {
	expected, suggestion := timeparse.Explain(err)
	p.AddWithReason(path, expected, text, err)
	p.Suggest(suggestion)
}

// Suggest adds a value that would work to the last problem.
func (p *Problems) Suggest(value string) { p.Problems[len(p.Problems)-1].Suggestion = value }
