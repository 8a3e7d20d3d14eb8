// Package repairtest has a corpus of calls with the mistakes that models make. It also acts
// as a client without a model: it corrects a call once, as the error says. Tests and the
// benchmark use it to measure how many calls succeed.
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
	Retry   = "retry"   // it succeeds after the correction that its error describes
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

// Corpus returns all calls, in order. The calls that succeed need a memory called theme.
// The calls about mail or a calendar also need an account.
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

// Try makes the call and, if its error describes a correction, the corrected call. It returns
// the outcome. The function do makes one call and returns its error as JSON, or nil.
func (c Call) Try(do func(Call) (failure json.RawMessage, err error)) (outcome string, err error) {
	failure, err := do(c)
	if err != nil || failure == nil {
		return Runs, err
	}
	if c.Outcome == Refused {
		return Refused, nil
	}
	corrected, ok := c.CorrectedCall(failure)
	if !ok {
		return Failed, nil
	}
	if failure, err = do(corrected); err != nil || failure == nil {
		return Retry, err
	}
	return Failed, nil
}
