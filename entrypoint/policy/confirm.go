package policy

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// A Confirmer decides about the effects of running calls: what they send, destroy,
// change or remove. It uses the policy, asks the user if required, and counts the
// effects against the limits.
type Confirmer struct {
	Policy   Policy
	Approver Approver // nil: calls that need a question get APPROVAL_REQUIRED
	Contacts Contacts // nil: nobody is known
	Limiter  Limiter  // nil: no limits
}

// An Approver asks the user whether a Request may happen. It returns nil for yes.
// Otherwise it returns the error for the caller, and nothing was done.
type Approver interface {
	Approve(context.Context, *entrypoint.Call, entrypoint.Request) error
}

// Contacts knows to which people the user has written.
type Contacts interface {
	// Known reports whether the user wrote to the address before the given time. The
	// address has the form that ParseRecipient returns.
	Known(ctx context.Context, address string, before time.Time) bool
}

// A Limiter limits how much calls do.
type Limiter interface {
	// Limit counts what a call is about to do, and returns an error if the limit is
	// exceeded. For a send or a destruction, n is 1. For changes that can be undone, n is
	// their number. KOTA calls Limit after every other check has passed, but not for calls
	// approved by id: ApprovalByID.Consume counts those.
	Limit(ctx context.Context, effect metadata.Effect, n int) error
}

// Confirm lets the handlers of calls ask the user. If a call destroys something and its
// handler does not ask, Confirm asks before the call, unless the gate is Allow.
func (p *Confirmer) Confirm(next entrypoint.Handler) entrypoint.Handler {
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		if entrypoint.IsDiscoveryTool(c.Action.Tool) {
			return next(ctx, c)
		}
		d := &decision{p, c}
		if c.Prepared.Effect == metadata.Destroys && !c.Prepared.ConfirmsItself {
			if err := d.confirmDestroy(ctx, bundles.Deletion{}); err != nil {
				return nil, err
			}
		}
		c.Env.SetSendPolicy(bundles.SendPolicy{Confirm: d.confirmSend, Check: d.checkSend})
		c.Env.ConfirmDestroy, c.Env.CountChanges = d.confirmDestroy, d.confirmChange
		c.Env.RemovalPolicy = bundles.RemovalPolicy{Confirm: d.confirmRemoval, MarkShown: c.Session.MarkShown}
		return next(ctx, c)
	}
}

// A decision decides about one call.
type decision struct {
	*Confirmer
	call *entrypoint.Call
}

// confirmSend decides whether a message may reach people: by the policy, then by
// the user if required, then by the limits.
func (d *decision) confirmSend(ctx context.Context, out bundles.Outgoing) error {
	if d.call.Prepared.Effect == metadata.Reads { // KOTA allowed the call because it only reads, for example through kota_read
		return fmt.Errorf("a read-only call of %s tried to send something", d.call.Action.Tool)
	}
	if err := d.checkSend(ctx, out); err != nil {
		return err
	}
	if out.AllowedBefore && d.call.Approval == nil {
		return nil
	}
	if asked, reason := d.mustAskToSend(ctx, out); asked {
		request := entrypoint.Request{Effect: metadata.Sends, Outgoing: out, Reason: reason}
		if reason != "" {
			request.Trustable = trustable(d.call.Session, slices.Concat(out.People, out.ReplyTo))
		}
		if err := d.ask(ctx, request); err != nil {
			return err
		}
		bundles.MarkUserApproved(ctx)
	}
	return d.count(ctx, metadata.Sends, 1)
}

// checkSend is confirmSend without a question or a count.
func (d *decision) checkSend(_ context.Context, out bundles.Outgoing) error {
	return d.Policy.checkReach(d.call.Action.Action, slices.Concat(out.People, out.ReplyTo))
}

// confirmDestroy returns nil if the call may destroy what deletion describes. It asks the
// user if required.
func (d *decision) confirmDestroy(ctx context.Context, deletion bundles.Deletion) error {
	if d.call.Prepared.Effect != metadata.Destroys { // KOTA allowed the call because it can be undone, for example without permanent
		return fmt.Errorf("a call of %s, whose effect is only %q, tried to delete something for good", d.call.Action.Tool, d.call.Prepared.Effect)
	}
	if d.gates().Destroy.Gate != Allow || d.call.Approval != nil {
		if err := d.ask(ctx, entrypoint.Request{Effect: metadata.Destroys, Deletion: deletion}); err != nil {
			return err
		}
	}
	return d.count(ctx, metadata.Destroys, 1)
}

// confirmChange counts changes that can be undone, and returns an error if there are too
// many.
func (d *decision) confirmChange(ctx context.Context, n int) error {
	return d.count(ctx, metadata.Writes, n)
}

// confirmRemoval asks about mail that is moved out of sight, if required.
func (d *decision) confirmRemoval(ctx context.Context, removal bundles.Removal) error {
	asks, err := d.mustAskToRemove(ctx, removal)
	if err != nil || !asks {
		return err
	}
	deletion, err := removal.Describe()
	if err != nil {
		return err
	}
	if err := d.ask(ctx, entrypoint.Request{Effect: metadata.Writes, Deletion: deletion, Reason: afterUntrusted}); err != nil {
		return err
	}
	d.call.Session.ForgetRemoved(ctx)
	return nil
}

// count counts an effect of the call and returns an error if there are too many. It does
// not count a call that the user approved by its id: that was counted when its approval
// was consumed.
func (d *decision) count(ctx context.Context, effect metadata.Effect, n int) error {
	if d.call.Approval != nil || d.Limiter == nil {
		return nil
	}
	return d.Limiter.Limit(ctx, effect, n)
}

// ask asks the user and returns nil if the call may continue. It pauses the deadline of the
// call meanwhile.
func (d *decision) ask(ctx context.Context, request entrypoint.Request) error {
	call, err := d.call.Request(request.Effect)
	if err != nil {
		return err
	}
	request.Action, request.Args = call.Action, call.Args
	if d.Approver == nil {
		return noApproverError(request)
	}
	d.call.ReleaseSlot()
	defer entrypoint.PauseDeadline(ctx)()
	return d.Approver.Approve(ctx, d.call, request)
}

// noApproverError returns the error for a call that needs an approval when there is no
// Approver.
func noApproverError(request entrypoint.Request) error {
	what := "cannot be undone"
	switch request.Effect {
	case metadata.Sends:
		what = "would reach " + metadata.FirstFew(request.Outgoing.People)
	case metadata.Writes:
		what = request.Deletion.What
	}
	return metadata.Errorf(metadata.ApprovalNeeded, "nothing was done, because the user could not be asked: %s %s", request.Action.Tool, what).
		WithHint("The user can make the same call with `kota call` on a terminal, which asks.")
}
