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

// AnswerOutcome handles repeated calls. If the user has approved or rejected the call before,
// it answers with the outcome, once. If a is nil, it changes nothing.
func (a *Approvals) AnswerOutcome(next entrypoint.Handler) entrypoint.Handler {
	if a == nil {
		return next
	}
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		if out, found, err := a.outcomeOf(ctx, c); found || err != nil {
			return out, err
		}
		return next(ctx, c)
	}
}

func (a *Approvals) outcomeOf(ctx context.Context, c *entrypoint.Call) (out any, found bool, err error) {
	if entrypoint.IsDiscoveryTool(c.Action.Tool) || c.Approval != nil || !mayWait(c.Action.Action, c.Prepared) {
		return nil, false, nil
	}
	request, err := c.Request(c.Prepared.Effect)
	if err != nil {
		return nil, false, err
	}
	outcome, err := a.Pending.TakeOutcome(ctx, callID(request, a.Owner))
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
	c.Note = fmt.Sprintf("The user approved this call (%s), and it ran at %s. This is its outcome; nothing was done now.", outcome.ID, outcome.At.Format("2006-01-02 15:04 MST"))
	if outcome.Edited != "" {
		c.Note = fmt.Sprintf("The user changed this call before they approved it (%s), and it ran at %s. Nothing was done now. This is the outcome of the changed call:\n\n%s", outcome.ID, outcome.At.Format("2006-01-02 15:04 MST"), outcome.Edited)
	}
	return outcome.Answer, true, nil
}

// mayWait reports whether KOTA may have asked the user to approve such a call. These calls
// destroy, send, or write to an account, where others may see the change.
func mayWait(action metadata.Action, call bundles.Call) bool {
	return call.Effect != metadata.Reads && (call.Effect != metadata.Writes || len(action.Scopes) > 0)
}

// hasProvenance reports whether an item in the answer is marked as written by others. It
// ignores a mark on the whole answer: that mark describes the sent text, which the user has
// seen. An answer that is not JSON counts as marked.
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
