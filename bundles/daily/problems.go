package daily

import (
	"errors"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// problems are those of a call's arguments.
type problems struct {
	arguments.Problems
	hint string // the next step, where mending the argument is none
}

// Err returns nil, or a VALIDATION_ERROR that lists the problems.
func (p *problems) Err() error {
	err := p.Problems.Err()
	if invalid := (*metadata.Error)(nil); p.hint != "" && errors.As(err, &invalid) {
		return invalid.WithHint("%s", p.hint)
	}
	return err
}

// zone reads an argument that names a time zone. "" is where the user is.
func (p *problems) zone(path, name string, usual *time.Location) *time.Location {
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

// time notes why a text is no time and no zone, with one that may be meant.
func (p *problems) time(path, text string, err error) {
	wanted, instead := timeparse.Wanted(err)
	p.Add(path, wanted+": "+err.Error(), text)
	p.Problems[len(p.Problems)-1].Suggestion = instead
}
