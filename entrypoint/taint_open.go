package entrypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"kota/bundles"
	"kota/metadata"
)

// leftOpen keeps the question to the user that the call in ctx ended with, where
// err is one.
func leftOpen(ctx context.Context, err error) {
	call, ok := ctx.Value(hearingKey{}).(*hearing)
	if !ok {
		return
	}
	if asks := (*inputRequired)(nil); errors.As(err, &asks) {
		call.session.open.ask(asks.state, call.came)
	}
	if waits := (*metadata.Error)(nil); errors.As(err, &waits) && waits.Approval != "" {
		call.session.open.ask(waits.Approval, call.came)
	}
}

// recollected notes that the call in ctx answers what came of one that waited as
// id until its user approved it elsewhere.
func recollected(ctx context.Context, id string, outcome json.RawMessage) {
	if call, ok := ctx.Value(hearingKey{}).(*hearing); ok {
		call.session.trust(call.session.open.close(id))
	}
	if hasProvenance(outcome) {
		bundles.Foreign(ctx)
	}
}

// hasProvenance reports whether an answer has an item whose words are said not to
// be the user's own, but for what the answer is about as a whole: that was sent,
// and its user has seen it.
func hasProvenance(answer json.RawMessage) bool {
	decoder := json.NewDecoder(bytes.NewReader(answer))
	depth := 0
	for {
		token, err := decoder.Token()
		switch {
		case err == io.EOF:
			return false
		case err != nil || token == "provenance" && depth > 1:
			return true
		case token == json.Delim('{') || token == json.Delim('['):
			depth++
		case token == json.Delim('}') || token == json.Delim(']'):
			depth--
		}
	}
}

// An openQuestions keeps of questions to the user that a session's calls ended
// with how much text from strangers had come in when each was first asked, by
// the id under which a call waits or by the state that a client brings back.
type openQuestions struct {
	mu   sync.Mutex
	came map[string]int64
}

// mostOpen is how many questions are kept. Agreeing to one that is forgotten
// trusts nothing.
const mostOpen = 200

func (o *openQuestions) ask(question string, came int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, before := o.came[question]; before {
		return
	}
	if o.came == nil || len(o.came) >= mostOpen {
		o.came = map[string]int64{}
	}
	o.came[question] = came
}

// close forgets a question and returns how much had come in when it was asked, 0
// for one that the session did not ask.
func (o *openQuestions) close(question string) int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	came := o.came[question]
	delete(o.came, question)
	return came
}
