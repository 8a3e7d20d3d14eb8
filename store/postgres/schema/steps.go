package schema

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.sql
var files embed.FS

// A Step is a migration step. A released step never changes: add another step to correct it.
//
// Old replicas run while a step does, and afterwards. So a step only adds; a later one, with a
// higher minimum reader, removes what no supported version uses any more.
type Step struct {
	Name       string
	Script     string
	MinReader  int  // the lowest step that a KOTA must know to use the tables after this one
	Concurrent bool // each statement runs by itself: CREATE INDEX CONCURRENTLY
}

// Steps returns the migration steps from an empty database to the current tables, in order.
func Steps() ([]Step, error) {
	scripts, err := files.ReadDir(".") // sorted by name
	if err != nil {
		return nil, err
	}
	all := []Step{}
	for _, file := range scripts {
		script, err := files.ReadFile(file.Name())
		if err != nil {
			return nil, err
		}
		s, err := parseStep(file.Name(), string(script))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// parseStep reads the comments with which a script begins: "-- minimum reader: 3", and perhaps
// "-- concurrent".
func parseStep(name, script string) (Step, error) {
	s := Step{Name: name, Script: script}
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "--") {
			break
		}
		if line == "-- concurrent" {
			s.Concurrent = true
		}
		fmt.Sscanf(line, "-- minimum reader: %d", &s.MinReader)
	}
	if s.MinReader == 0 {
		return s, fmt.Errorf("%s does not begin with its minimum reader", name)
	}
	return s, nil
}
