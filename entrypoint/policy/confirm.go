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

// A Confirmer decides about what calls do that reaches people, destroys, changes or
// removes: by the policy, by its user where that is the rule, and by the limits.
type Confirmer struct {
	Policy   Policy
	Approver Approver // nil: what would have to be asked answers APPROVAL_REQUIRED
	Contacts Contacts // nil: nobody is known
	Limiter  Limiter  // nil lets all through
}

// An Approver asks the user whether what a Request describes may happen. It returns
// nil for yes, else the error to answer: nothing was done then.
type Approver interface {
	Approve(context.Context, *entrypoint.Call, entrypoint.Request) error
}

// Contacts are the people whom the user wrote to.
type Contacts interface {
	// Known reports whether the user wrote to that address, in the form of
	// ParseRecipient, before a time.
	Known(ctx context.Context, address string, before time.Time) bool
}

// A Limiter counts what calls do.
type Limiter interface {
	// Limit counts what a call is about to do and lets it through, or returns the
	// error to answer: there were too many. A send or a destruction counts as one,
	// n says how many things a change is of that can be undone. It is asked last,
	// when all others have agreed.
	Limit(ctx context.Context, effect metadata.Effect, n int) error
}

// Confirm has the handlers of calls ask. It asks the user itself about a call that
// destroys what nobody knows before.
func (p *Confirmer) Confirm(next entrypoint.Handler) entrypoint.Handler {
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		if entrypoint.IsDiscoveryTool(c.Action.Tool) {
			return next(ctx, c)
		}
		d := &decision{p, c}
		if c.Prepared.Effect == metadata.Destroys && !c.Prepared.Asks {
			if err := d.confirmDestroy(ctx, bundles.Deletion{}); err != nil {
				return nil, err
			}
		}
		c.Env.Decide(bundles.Sending{May: d.confirmSend, Would: d.checkSend})
		c.Env.Destroying, c.Env.Changing = d.confirmDestroy, d.confirmChange
		c.Env.Removing = bundles.Remover{Confirm: d.confirmRemoval, Shown: c.Session.MarkShown}
		return next(ctx, c)
	}
}

// A decision is what is decided about one call.
type decision struct {
	*Confirmer
	call *entrypoint.Call
}

// confirmSend decides whether something may reach people: the policy first, then the
// user where that is the rule, then the limits.
func (d *decision) confirmSend(ctx context.Context, out bundles.Outgoing) error {
	if d.call.Prepared.Effect == metadata.Reads { // it was let through, as by kota_read, for changing nothing
		return fmt.Errorf("a call of %s that only reads was about to reach people", d.call.Action.Tool)
	}
	if err := d.checkSend(ctx, out); err != nil {
		return err
	}
	if out.Begun && d.call.Approval == nil {
		return nil
	}
	if asked, because := d.asksToSend(ctx, out); asked {
		request := entrypoint.Request{Effect: metadata.Sends, Outgoing: out, Because: because}
		if because != "" {
			request.MayTrust = trustable(d.call.Session, slices.Concat(out.People, out.Answers))
		}
		if err := d.ask(ctx, request); err != nil {
			return err
		}
		bundles.NoteAgreed(ctx)
	}
	return d.count(ctx, metadata.Sends, 1)
}

// checkSend is confirmSend without asking anybody.
func (d *decision) checkSend(_ context.Context, out bundles.Outgoing) error {
	return d.Policy.reaches(d.call.Action.Action, slices.Concat(out.People, out.Answers))
}

// confirmDestroy decides whether something may be destroyed, and asks the user where
// that is the rule.
func (d *decision) confirmDestroy(ctx context.Context, doomed bundles.Deletion) error {
	if d.call.Prepared.Effect != metadata.Destroys { // it was let through, as without permanent, for what can be undone
		return fmt.Errorf("a call of %s that %s was about to destroy", d.call.Action.Tool, d.call.Prepared.Effect)
	}
	if d.gates().Destroy.Gate != Allow || d.call.Approval != nil {
		if err := d.ask(ctx, entrypoint.Request{Effect: metadata.Destroys, Doomed: doomed}); err != nil {
			return err
		}
	}
	return d.count(ctx, metadata.Destroys, 1)
}

// confirmChange counts what can be undone, and lets it through while it is not too
// much.
func (d *decision) confirmChange(ctx context.Context, n int) error {
	return d.count(ctx, metadata.Writes, n)
}

// confirmRemoval asks about mail that is moved out of sight where that is the rule.
func (d *decision) confirmRemoval(ctx context.Context, removal bundles.Removal) error {
	if !d.asksToRemove(removal) {
		return nil
	}
	doomed, err := removal.Describe()
	if err != nil {
		return err
	}
	if err := d.ask(ctx, entrypoint.Request{Effect: metadata.Writes, Doomed: doomed, Because: afterUntrusted}); err != nil {
		return err
	}
	d.call.Session.ForgetRemoved()
	return nil
}

// count counts what the call is about to do, and lets it through where there was not
// too much. One that the user has named by its id was counted as the approval was
// used: it waits on where there was.
func (d *decision) count(ctx context.Context, effect metadata.Effect, n int) error {
	if d.call.Approval != nil || d.Limiter == nil {
		return nil
	}
	return d.Limiter.Limit(ctx, effect, n)
}

// ask asks the user, and returns nil when the call may go on. The time that the
// answer takes is not the call's.
func (d *decision) ask(ctx context.Context, asked entrypoint.Request) error {
	about, err := d.call.Request(asked.Effect)
	if err != nil {
		return err
	}
	asked.Action, asked.Args = about.Action, about.Args
	if d.Approver == nil {
		return unasked(asked)
	}
	d.call.ReleaseSlot()
	defer entrypoint.PauseDeadline(ctx)()
	return d.Approver.Approve(ctx, d.call, asked)
}

// unasked is the answer where there is nobody to ask.
func unasked(asked entrypoint.Request) error {
	what := "cannot be undone"
	switch asked.Effect {
	case metadata.Sends:
		what = "would reach " + metadata.FirstFew(asked.Outgoing.People)
	case metadata.Writes:
		what = asked.Doomed.What
	}
	return metadata.Errorf(metadata.ApprovalNeeded, "nothing was done, because the user was not asked: %s %s", asked.Action.Tool, what).
		WithHint("The user can make the same call with `kota call` on a terminal, which asks.")
}
