package approval

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// AnswerOutcome answers a repeated call with its outcome when the user had
// approved or rejected it, once. Nil knows of none.
func (a *Approvals) AnswerOutcome(next entrypoint.Handler) entrypoint.Handler {
	if a == nil {
		return next
	}
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		if out, there, err := a.outcomeOf(ctx, c); there || err != nil {
			return out, err
		}
		return next(ctx, c)
	}
}

func (a *Approvals) outcomeOf(ctx context.Context, c *entrypoint.Call) (out any, there bool, err error) {
	if entrypoint.IsDiscoveryTool(c.Action.Tool) || c.Approval != nil || !mayWait(c.Action.Action, c.Prepared) {
		return nil, false, nil
	}
	asked, err := c.Request(c.Prepared.Effect)
	if err != nil {
		return nil, false, err
	}
	outcome, err := a.Pending.TakeOutcome(ctx, callID(asked, a.Owner))
	switch {
	case err != nil:
		return nil, false, err
	case outcome == nil:
		return nil, false, nil
	case outcome.Rejected:
		c.Session.NoteRefusal(entrypoint.Refusal{Tool: c.Action.Tool, At: outcome.At})
		return nil, true, outcome.Err
	}
	c.Session.ForgetRefusals()
	if outcome.Err != nil {
		return nil, true, outcome.Err
	}
	if hasProvenance(outcome.Answer) {
		bundles.MarkUntrusted(ctx)
	}
	c.Note = fmt.Sprintf("The user has approved this call as %s: this is what came of it at %s. Nothing was done now.", outcome.ID, outcome.At.Format("2006-01-02 15:04 MST"))
	return outcome.Answer, true, nil
}

// mayWait reports whether such a call is one that may have waited for the user:
// it destroys or sends, or works on an account, where what it changes may be seen
// by others. The rest need not be looked for.
func mayWait(action metadata.Action, call bundles.Call) bool {
	return call.Effect != metadata.Reads && (call.Effect != metadata.Writes || len(action.Scopes) > 0)
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
