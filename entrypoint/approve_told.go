package entrypoint

import (
	"context"
	"fmt"

	"kota/bundles"
	"kota/metadata"
)

// Told is for Options.Told.
func (a *Approvals) Told(ctx context.Context, asked Request) (*Settled, error) {
	return a.Rows.Told(ctx, asked.call(a.Owner))
}

// deliveredOutcome answers a repeated call with its outcome when the user had
// approved or rejected it, once. It reports whether there was something to answer.
func (r *Router) deliveredOutcome(ctx context.Context, c *Call) (out any, there bool, err error) {
	action := c.Action.Action
	if r.told == nil || c.approved() || !mayWait(action, c.Prepared) {
		return nil, false, nil
	}
	args, err := canonical(c.Prepared.Args)
	if err != nil {
		return nil, false, err
	}
	outcome, err := r.told(ctx, Request{Action: action, Effect: c.Prepared.Effect, Args: args})
	switch {
	case err != nil:
		return nil, false, err
	case outcome == nil:
		return nil, false, nil
	case outcome.Rejected:
		noteRefusal(ctx, action.Tool, outcome.At)
		return nil, true, outcome.Err
	}
	forgetRefusals(ctx)
	if outcome.Err != nil {
		return nil, true, outcome.Err
	}
	if hasProvenance(outcome.Outcome) {
		bundles.Foreign(ctx)
	}
	c.Note = fmt.Sprintf("The user has approved this call as %s: this is what came of it at %s. Nothing was done now.", outcome.ID, outcome.At.Format("2006-01-02 15:04 MST"))
	return outcome.Outcome, true, nil
}

// mayWait reports whether such a call is one that may have waited for the user:
// it destroys or sends, or works on an account, where what it changes may be seen
// by others. The rest need not be looked for.
func mayWait(action metadata.Action, call bundles.Call) bool {
	return call.Effect != metadata.Reads && (call.Effect != metadata.Writes || len(action.Scopes) > 0)
}
