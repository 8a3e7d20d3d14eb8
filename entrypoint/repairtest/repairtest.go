// Package repairtest has a corpus of calls with the mistakes that models make. It also acts
// as a client without a model: it makes the one retry that an answer spells out. Tests and
// the benchmark use it to measure how many calls succeed.
package repairtest

import (
	"embed"
	"encoding/json"
	"fmt"
)

//go:embed testdata/corpus.json
var files embed.FS

// The outcome of a call.
const (
	Runs    = "runs"    // it succeeds at once
	Retry   = "retry"   // it succeeds with the retry that its answer spells out
	Refused = "refused" // it does not run, and must not run
	Failed  = "failed"  // it should have succeeded and did not
)

// A Call is a call of the corpus and its expected outcome.
type Call struct {
	Name    string          `json:"name"`
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
	Outcome string          `json:"outcome"`
}

// Corpus returns all calls, in order. Those that succeed need a memory called
// Corpus returns all calls, in order. The calls that succeed need a memory called theme,
// and the calls about mail or a calendar need these.
func Corpus() ([]Call, error) {
	raw, err := files.ReadFile("testdata/corpus.json")
	if err != nil {
		return nil, err
	}
	var calls []Call
	if err := json.Unmarshal(raw, &calls); err != nil {
		return nil, fmt.Errorf("read the corpus: %w", err)
	}
	return calls, nil
}

// Try makes the call and, if its answer spells one out, the retry. Ask makes one call and
// returns its error as JSON, nil if it succeeds.
func (c Call) Try(ask func(Call) (failure json.RawMessage, err error)) (outcome string, err error) {
	failure, err := ask(c)
	if err != nil || failure == nil {
		return Runs, err
	}
	if c.Outcome == Refused {
		return Refused, nil
	}
	again, ok := c.CorrectedCall(failure)
	if !ok {
		return Failed, nil
	}
	if failure, err = ask(again); err != nil || failure == nil {
		return Retry, err
	}
	return Failed, nil
}
