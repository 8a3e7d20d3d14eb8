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

// settled answers a repeated call with what became of it when the user had
// approved or rejected it, once. It reports whether there was something to answer.
func (r *Router) settled(ctx context.Context, action metadata.Action, call bundles.Call) (out any, there bool, err error) {
	if r.told == nil || approving(ctx) || !mayWait(action, call) {
		return nil, false, nil
	}
	args, err := canonical(call.Args)
	if err != nil {
		return nil, false, err
	}
	became, err := r.told(ctx, Request{Action: action, Effect: call.Effect, Args: args})
	switch {
	case err != nil:
		return nil, false, err
	case became == nil:
		return nil, false, nil
	case became.Rejected:
		noteRefusal(ctx, action.Tool, became.At)
		return nil, true, became.Err
	}
	forgetRefusals(ctx)
	if became.Err != nil {
		return nil, true, became.Err
	}
	if hasProvenance(became.Outcome) {
		bundles.Foreign(ctx)
	}
	if tell, ok := ctx.Value(notedKey{}).(func(string)); ok {
		tell(fmt.Sprintf("The user has approved this call as %s: this is what came of it at %s. Nothing was done now.", became.ID, became.At.Format("2006-01-02 15:04 MST")))
	}
	return became.Outcome, true, nil
}

// mayWait reports whether such a call is one that may have waited for the user:
// it destroys or sends, or works on an account, where what it changes may be seen
// by others. The rest need not be looked for.
func mayWait(action metadata.Action, call bundles.Call) bool {
	return call.Effect != metadata.Reads && (call.Effect != metadata.Writes || len(action.Scopes) > 0)
}
