// Package healtest is a corpus of calls as models get them wrong, and what a
// client makes of the answers without a model: the one retry that an answer
// spells out. Tests and the benchmark measure with it how many are healed.
package healtest

import (
	"embed"
	"encoding/json"
	"fmt"
)

//go:embed testdata/corpus.json
var files embed.FS

// What comes of a call.
const (
	Runs    = "runs"    // it succeeds at once
	Retry   = "retry"   // it succeeds on the retry that its answer spells out
	Refused = "refused" // it is not run, and must not be
	Failed  = "failed"  // it should have succeeded and does not
)

// A Call is one of the corpus, with what is to come of it.
type Call struct {
	Name    string          `json:"name"`
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
	Outcome string          `json:"outcome"`
}

// Corpus returns all calls, in order. Those that succeed need a memory called
// theme, and mail and a calendar where they are about these.
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

// Try makes the call and, when its answer spells one out, the retry. Ask makes
// one call and returns the JSON of its error, nil when it succeeds.
func (c Call) Try(ask func(Call) (failure json.RawMessage, err error)) (outcome string, err error) {
	failure, err := ask(c)
	if err != nil || failure == nil {
		return Runs, err
	}
	if c.Outcome == Refused {
		return Refused, nil
	}
	again, ok := c.Mended(failure)
	if !ok {
		return Failed, nil
	}
	if failure, err = ask(again); err != nil || failure == nil {
		return Retry, err
	}
	return Failed, nil
}
