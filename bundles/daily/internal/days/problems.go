package days

import (
	"errors"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// Problems collects what is wrong with the arguments of a call.
type Problems struct {
	arguments.Problems
	Hint string // the next step, if correcting the argument is not enough
}

// Err returns nil, or a VALIDATION_ERROR that lists the problems.
func (p *Problems) Err() error {
	err := p.Problems.Err()
	if invalid := (*metadata.Error)(nil); p.Hint != "" && errors.As(err, &invalid) {
		return invalid.WithHint("%s", p.Hint)
	}
	return err
}

// Zone reads an argument that names a time zone. It returns usual for "" and
// for an invalid name.
func (p *Problems) Zone(path, name string, usual *time.Location) *time.Location {
	if name == "" {
		return usual
	}
	zone, err := timeparse.Zone(name)
	if err != nil {
		p.time(path, name, err)
		return usual
	}
	return zone
}

// time notes why a text is not a time or not a zone, and suggests a correction.
func (p *Problems) time(path, text string, err error) {
	wanted, instead := timeparse.Explain(err)
	expected := wanted + ": " + err.Error()
	if form := (*timeparse.FormError)(nil); errors.As(err, &form) && form.NotATime() {
		expected = timeparse.Accepted // the text is shown beside it
	}
	p.Add(path, expected, text)
	p.Problems[len(p.Problems)-1].Suggestion = instead
}
