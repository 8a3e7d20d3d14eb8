package entrypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"kota/bundles"
	"kota/metadata"
)

// A Request is what the user is asked to agree to before it happens.
type Request struct {
	Action   metadata.Action
	Effect   metadata.Effect  // of this very call: Destroys or Sends
	Args     json.RawMessage  // as they were understood, with the defaults of what was left out; canonical
	Outgoing bundles.Outgoing // what would leave; zero for a call that destroys
	Because  string           // why the user is asked although bundles.yaml allows it; "" where it says ask
}

// canonical returns the arguments as one text for all their spellings: members
// sorted by name, without white space.
func canonical(args json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		return json.RawMessage("{}"), nil
	}
	decoder := json.NewDecoder(bytes.NewReader(args))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("read arguments: %w", err)
	}
	return metadata.Plain(value)
}

// consented returns the context of a call that is allowed. What cannot be undone
// is asked about here, before anything is done; what would reach people is decided
// when it is known, by the Sending in the context.
func (r *Router) consented(ctx context.Context, action metadata.Action, call bundles.Call) (context.Context, error) {
	agreed := false
	if call.Effect == metadata.Destroys && (r.policy.gates(bundleOf(action)).Destroy.Gate == Ask || approving(ctx)) {
		if err := r.ask(ctx, Request{Action: action, Effect: metadata.Destroys, Args: call.Args}); err != nil {
			return nil, err
		}
		agreed = true
	}
	if call.Effect == metadata.Destroys {
		if err := r.within(ctx, metadata.Destroys); err != nil {
			return nil, err
		}
	}
	would := func(_ context.Context, out bundles.Outgoing) error { return r.policy.reaches(action, out.People) }
	return bundles.WithSending(ctx, bundles.Sending{Would: would, May: func(ctx context.Context, out bundles.Outgoing) error {
		if call.Effect == metadata.Reads { // it was let through, as by kota_read, for changing nothing
			return fmt.Errorf("a call of %s that only reads was about to reach people", action.Tool)
		}
		if err := would(ctx, out); err != nil {
			return err
		}
		if out.Begun && !approving(ctx) {
			return nil
		}
		if !agreed {
			if err := r.askToSend(ctx, Request{Action: action, Effect: metadata.Sends, Args: call.Args, Outgoing: out}); err != nil {
				return err
			}
		}
		return r.within(ctx, metadata.Sends)
	}}), nil
}

// within counts a call that reaches people, or does what cannot be undone, and
// lets it through where there were not too many.
func (r *Router) within(ctx context.Context, effect metadata.Effect) error {
	if r.limit == nil {
		return nil
	}
	return r.limit(ctx, effect)
}

// askToSend asks about what is to leave where that is the rule, and where it is
// not once text from strangers has come in: it may have told the model to.
func (r *Router) askToSend(ctx context.Context, asked Request) error {
	if r.policy.gates(bundleOf(asked.Action)).Send.Gate == Allow && !approving(ctx) {
		if !r.policy.Taint || !tainted(ctx) {
			return nil
		}
		asked.Because = "text that strangers wrote was read in this session, which may have asked for this"
	}
	return r.ask(ctx, asked)
}

// ask asks the user, and returns nil when the call may go on. The time that the
// answer takes is not the call's.
func (r *Router) ask(ctx context.Context, asked Request) error {
	args, err := canonical(asked.Args)
	if err != nil {
		return err
	}
	asked.Args = args
	if r.approve == nil {
		return unasked(asked)
	}
	leavePlace(ctx)
	defer unhurried(ctx)()
	if err := r.approve(ctx, asked); err != nil {
		return err
	}
	if asked.Effect == metadata.Sends { // who agrees that something goes has not agreed that anything leaves
		Trust(ctx)
	}
	NoteApproval(ctx, "user")
	return nil
}

// unasked is the answer where there is nobody to ask.
func unasked(asked Request) error {
	what := "cannot be undone"
	if asked.Effect == metadata.Sends {
		what = "would reach " + several(asked.Outgoing.People)
	}
	return metadata.Errorf(metadata.ApprovalNeeded, "%s %s, and the user was not asked: nothing was done", asked.Action.Tool, what).
		WithHint("The user can make the same call with `kota call` on a terminal, which asks.")
}
