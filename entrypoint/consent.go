package entrypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// A Request is what the user is asked to agree to before it happens.
type Request struct {
	Action   metadata.Action
	Effect   metadata.Effect  // of this very call: Destroys or Sends, or Writes of one that removes mail
	Args     json.RawMessage  // as they were understood, with the defaults of what was left out; canonical
	Outgoing bundles.Outgoing // what would leave; zero where something would be destroyed
	Doomed   bundles.Doomed   // what would be destroyed or removed; zero where something would leave
	Because  string           // why the user is asked although bundles.yaml allows it; "" where it says ask
	Refused  []refusal        // what the user refused in the conversation before
	MayTrust []string         // whom the user may agree to for the rest of the conversation; nil where that is not offered
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

// confirmSend decides whether something may reach people: the policy first, then the
// user where that is the rule, then the limits.
func (c *Call) confirmSend(ctx context.Context, out bundles.Outgoing) error {
	if c.Prepared.Effect == metadata.Reads { // it was let through, as by kota_read, for changing nothing
		return fmt.Errorf("a call of %s that only reads was about to reach people", c.Action.Tool)
	}
	if err := c.checkSend(ctx, out); err != nil {
		return err
	}
	if out.Begun && !c.approved() {
		return nil
	}
	if err := c.router.askToSend(ctx, c.request(metadata.Sends, out, bundles.Doomed{})); err != nil {
		return err
	}
	return c.count(ctx, metadata.Sends, 1)
}

// checkSend is confirmSend without asking anybody.
func (c *Call) checkSend(_ context.Context, out bundles.Outgoing) error {
	return c.router.policy.reaches(c.Action.Action, slices.Concat(out.People, out.Answers))
}

// confirmDestroy decides whether something may be destroyed, and asks the user where
// that is the rule.
func (c *Call) confirmDestroy(ctx context.Context, doomed bundles.Doomed) error {
	if c.Prepared.Effect != metadata.Destroys { // it was let through, as without permanent, for what can be undone
		return fmt.Errorf("a call of %s that %s was about to destroy", c.Action.Tool, c.Prepared.Effect)
	}
	if c.router.policy.gates(c.Action.BundleKey()).Destroy.Gate != Allow || c.approved() {
		if err := c.router.ask(ctx, c.request(metadata.Destroys, bundles.Outgoing{}, doomed)); err != nil {
			return err
		}
	}
	return c.count(ctx, metadata.Destroys, 1)
}

// confirmChange counts what can be undone, and lets it through while it is not too
// much.
func (c *Call) confirmChange(ctx context.Context, n int) error {
	return c.count(ctx, metadata.Writes, n)
}

// confirmRemoval asks about mail that is moved out of sight once text from
// strangers has come in, unless it is little and was shown in the session.
func (c *Call) confirmRemoval(ctx context.Context, removal bundles.Removal) error {
	if !c.approved() && (!c.router.policy.Taint || !tainted(ctx) || mayRemoveUnasked(ctx, removal)) {
		return nil
	}
	doomed, err := removal.Describe()
	if err != nil {
		return err
	}
	asked := c.request(metadata.Writes, bundles.Outgoing{}, doomed)
	asked.Because = afterStrangers
	if err := c.router.ask(ctx, asked); err != nil {
		return err
	}
	forgetRemoved(ctx)
	return nil
}

func (c *Call) request(effect metadata.Effect, out bundles.Outgoing, doomed bundles.Doomed) Request {
	return Request{Action: c.Action.Action, Effect: effect, Args: c.Prepared.Args, Outgoing: out, Doomed: doomed}
}

// count counts what the call is about to do, and lets it through where there was not
// too much. One that the user has named by its id was counted as the approval was
// used: it waits on where there was.
func (c *Call) count(ctx context.Context, effect metadata.Effect, n int) error {
	if c.approved() || c.router.limit == nil {
		return nil
	}
	return c.router.limit(ctx, effect, n)
}

// writtenAfterStrangers is why the user is asked although the settings would not ask.
const writtenAfterStrangers = "it was written after strangers' text was read, which may have asked for this"

// afterStrangers is the same where that text was read in this session.
const afterStrangers = "strangers' text was read in this session and may have asked for this"

// askToSend asks the user about a send where that is the rule. Under `send: allow` it
// asks about people who are neither known nor listed. Text from strangers may have
// told the model to send. So it also asks if such text came into the session that
// wrote what leaves. If it came into this session, only sends to known people pass.
func (r *Router) askToSend(ctx context.Context, asked Request) error {
	gates := r.policy.gates(asked.Action.BundleKey())
	if gates.Send.Gate != Allow || callOf(ctx).approved() {
		return r.askAndNote(ctx, asked)
	}
	people := slices.Concat(asked.Outgoing.People, asked.Outgoing.Answers)
	if trusts(ctx, people) {
		return nil
	}
	if asked.Because = r.whyAsk(ctx, gates, asked.Outgoing, people); asked.Because == "" {
		return nil
	}
	asked.MayTrust = trustable(ctx, people)
	return r.askAndNote(ctx, asked)
}

// maxLookups is how many recipients of one send are looked up in the sent mail.
const maxLookups = 20

// whyAsk returns why the user is asked about an allowed send to these people, ""
// if they are not.
func (r *Router) whyAsk(ctx context.Context, gates standing, out bundles.Outgoing, people []string) string {
	open, asksUnknown := gates.asksUnknown(people)
	if len(open) > maxLookups {
		return fmt.Sprintf("it goes to %d people; KOTA looks up whether you know %d at most", len(open), maxLookups)
	}
	unknown := r.unknown(ctx, open)
	switch {
	case len(unknown) > 0:
		return "you had not written to " + metadata.FirstFew(unknown) + " before this conversation"
	case !r.policy.Taint:
		return ""
	case tainted(ctx) && !out.Mixed && asksUnknown && len(people) <= maxLookups && len(r.unknown(ctx, people)) == 0:
		return ""
	case tainted(ctx):
		return afterStrangers
	case out.Mixed:
		return writtenAfterStrangers
	}
	return ""
}

// askAndNote asks the user about a send, and notes that they agreed.
func (r *Router) askAndNote(ctx context.Context, asked Request) error {
	err := r.ask(ctx, asked)
	if err == nil {
		bundles.NoteAgreed(ctx)
	}
	return err
}

// unknown returns those of the people whom the user did not write to before the
// conversation in ctx began. Addresses are as they are compared, so that a
// look-alike of another alphabet shows.
func (r *Router) unknown(ctx context.Context, people []string) (unknown []string) {
	began := sessionBegan(ctx)
	for _, person := range people {
		address, ok := addressOf(person)
		switch {
		case !ok:
			unknown = append(unknown, person)
		case r.known == nil || began.IsZero() || !r.known(ctx, address, began):
			unknown = append(unknown, address)
		}
	}
	return unknown
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
	releaseSlot(ctx)
	defer unhurried(ctx)()
	return r.approve(ctx, asked)
}

// unasked is the answer where there is nobody to ask.
func unasked(asked Request) error {
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
