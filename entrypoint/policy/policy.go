// Package policy decides which actions exist, which of their calls run, and when the
// user is asked: by the profile, the gates `send:` and `destroy:`, the lists of
// recipients, and what the session has read. No call does more than it allows,
// whichever channel it came by. Start with Policy; then read Confirmer, which decides
// about what a running call sends, destroys, changes and removes.
//
// A new rule is a field of Policy and a case in allow (whether a call runs),
// asksToSend or asksToRemove (whether the user is asked), or hides (whether an action
// exists).
package policy

import (
	"context"
	"slices"
	"strings"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// A Policy decides which actions exist for this process and which of them may
// run. The zero Policy lets everything be seen and run.
type Policy struct {
	Profile       string            // its name, for messages
	Flag          bool              // whether the profile was chosen by --profile, and not in bundles.yaml
	Effects       []metadata.Effect // those that may run; nil means all
	EffectsSource string            // where the user's own profile lists Effects: "line 7 of bundles.yaml"; "" for a built-in one
	Bundles       []string          // keys of the bundles that exist; nil means all
	Tags          []string          // of which an action or its bundle must have one to exist; nil means any
	Actions       []string          // those that exist, as named says; nil means all
	Without       []string          // those that do not, as named says

	Send         Gate             // "" means Ask
	Destroy      Gate             // "" means Ask; never Draft
	SendTo       Recipients       // who may be reached; nil means everybody
	PerBundle    map[string]Gates // by key: what is said of a bundle, in place of what is said of all
	ProfileGates Gates            // which narrow both
	Taint        bool             // sends that are allowed are asked about once untrusted text has come in

	// Instructions are what the profile tells the model, or "".
	Instructions string

	// Explain says how the user shows what these limits of the profile hide. Nil:
	// what is hidden is answered as what was never there.
	Explain func([]Limit) string

	// MissingScopes reports whether the accounts that are signed in cover none of the
	// scopes' uses, so that an action which needs them is not offered. Nil means
	// nothing is lacking.
	MissingScopes func(scopes []string) bool
}

// Permit returns nil when work of that effect, which is no action's, may be done
// under the profile; else the error that says which line forbids it.
func (p Policy) Permit(what string, effect metadata.Effect) error {
	return p.PermitAction(metadata.Action{Tool: what}, effect)
}

// PermitAction returns nil when calls of the action with that effect may run under
// the profile, else the error that says which line forbids it.
func (p Policy) PermitAction(action metadata.Action, effect metadata.Effect) error {
	if p.permits(effect) {
		return nil
	}
	return p.forbidden(action, effect)
}

// PermitByHand returns nil when the user, who agrees by typing a command, may
// send something of that bundle's to these people; else the error that says which
// line forbids it.
func (p Policy) PermitByHand(command, bundle string, people []string) error {
	return p.permitsSending(metadata.Action{Tool: command}, p.gates(bundle), people)
}

// Scopes returns the OAuth scopes that the actions of these bundles need or make
// use of, of those that some call may run under the policy, sorted. What accounts
// lack plays no part: it is what to ask them for.
func (p Policy) Scopes(all []bundles.Bundle) []string {
	p.MissingScopes = nil
	scopes := []string{}
	for _, b := range all {
		for _, a := range b.Actions {
			if p.visible(b.Bundle, a.Action) && p.Offers(a) {
				scopes = append(append(scopes, a.Scopes...), a.OptionalScopes...)
			}
		}
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}

// permits reports whether calls with that effect may run under the profile.
func (p Policy) permits(effect metadata.Effect) bool {
	return p.Effects == nil || slices.Contains(p.Effects, effect)
}

// Offers reports whether some call of the action may run, so that it is worth
// listing. A call that may not run still says which line of bundles.yaml
// forbids it.
func (p Policy) Offers(action bundles.Action) bool {
	return p.Granted(action.Action) && (p.permits(action.Effect) || action.Graded && p.permits(metadata.Writes))
}

// Granted reports whether the accounts allow the action. A call of one they do
// not allow says how to allow it.
func (p Policy) Granted(action metadata.Action) bool {
	return p.MissingScopes == nil || len(action.Scopes) == 0 || !p.MissingScopes(action.Scopes)
}

// Allow lets calls go on that may run.
func (p Policy) Allow(next entrypoint.Handler) entrypoint.Handler {
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		if !entrypoint.IsDiscoveryTool(c.Action.Tool) {
			if err := p.allow(c.Action.Action, c.Prepared); err != nil {
				return nil, err
			}
		}
		return next(ctx, c)
	}
}

// SaveDrafts has what may not be sent run as its draft.
func (p Policy) SaveDrafts(next entrypoint.Handler) entrypoint.Handler {
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		if entrypoint.IsDiscoveryTool(c.Action.Tool) {
			return next(ctx, c)
		}
		gated, err := p.gated(c.Action.Action, c.Prepared)
		if err != nil {
			return nil, err
		}
		substituted := gated.Effect != c.Prepared.Effect
		c.Prepared = gated
		if substituted && c.Record != nil {
			c.Record.Substituted(c)
		}
		return next(ctx, c)
	}
}

// allow returns nil when the prepared call may run, else the error to answer.
func (p Policy) allow(action metadata.Action, call bundles.Call) error {
	gates := p.gates(action.BundleKey())
	switch {
	case !p.permits(call.Effect):
		return p.forbidden(action, call.Effect)
	case call.Effect == metadata.Sends && gates.Send.Gate == Refuse:
		return refused(action, "send", gates.Send.by)
	case call.Effect == metadata.Destroys && gates.Destroy.Gate == Refuse:
		return refused(action, "destroy", gates.Destroy.by)
	}
	return nil
}

// gated turns a call that sends into the one that runs under this policy: its
// draft where nothing is sent but by the user's hands. What has no draft is not
// done.
func (p Policy) gated(action metadata.Action, call bundles.Call) (bundles.Call, error) {
	send := p.gates(action.BundleKey()).Send
	switch {
	case call.Effect != metadata.Sends || send.Gate != Draft:
		return call, nil
	case call.Draft == nil:
		return bundles.Call{}, manualOnlyError(action, "other people", send.by)
	}
	return *call.Draft, nil
}

// reaches returns nil when the policy lets something reach these people, be it
// after a question, else the error to answer.
func (p Policy) reaches(action metadata.Action, people []string) error {
	gates := p.gates(action.BundleKey())
	if err := p.permitsSending(action, gates, people); err != nil {
		return err
	}
	if gates.Send.Gate == Draft {
		return manualOnlyError(action, metadata.FirstFew(people), gates.Send.by)
	}
	return nil
}

// permitsSending returns nil where the user, if asked, could agree to it.
func (p Policy) permitsSending(action metadata.Action, gates effectiveGates, people []string) error {
	if !p.permits(metadata.Sends) {
		return p.forbidden(action, metadata.Sends)
	}
	if unlisted, by := gates.unlisted(people); len(unlisted) > 0 {
		return metadata.Errorf(metadata.Refused, "%s would reach %s, whom send_to does not list: nothing was done", action.Tool, strings.Join(unlisted, ", ")).
			WithHint("%sLeave them out, or let the user add them to the line `send_to:` %s.", p.draftInstead(action), by)
	}
	if gates.Send.Gate == Refuse {
		return refused(action, "send", gates.Send.by)
	}
	return nil
}

// manualOnlyError is the answer to what is not sent, and cannot be kept for the user to
// send.
func manualOnlyError(action metadata.Action, whom, by string) error {
	return metadata.Errorf(metadata.ApprovalNeeded, "%s would reach %s, and bundles.yaml lets nothing be sent without the user: nothing was done", action.Tool, whom).
		WithHint("The user can do it by hand, as in Gmail, Google Calendar or their settings, or be asked each time with the line `send: ask` %s.", by)
}

func (p Policy) forbidden(action metadata.Action, effect metadata.Effect) error {
	instead := ""
	if effect == metadata.Sends {
		instead = p.draftInstead(action)
	}
	e := metadata.Errorf(metadata.WritesDisabled, "%s %s, and the profile %q does not allow that", action.Tool, effect, p.Profile)
	if p.EffectsSource != "" {
		return e.WithHint("%sThe user can add %q to the `effects:` of that profile, on %s, or allow everything %s.", instead, effect, p.EffectsSource, p.full())
	}
	return e.WithHint("%sThe user can allow it %s, or with a profile whose effects include %q.", instead, p.full(), effect)
}

// draftInstead names the draft that may be saved of what may not be sent, "" when
// there is none.
func (p Policy) draftInstead(action metadata.Action) string {
	if p.permits(metadata.Writes) && action.HasParam(metadata.AsDraft) {
		return "With as_draft true it saves a draft, which is allowed. "
	}
	return ""
}

// full is how the user chooses the profile that allows everything.
func (p Policy) full() string {
	if p.Flag {
		return "with `--profile full` where KOTA is started"
	}
	return "in bundles.yaml with the line `profile: full`"
}

// Withheld says why no call of the action may run.
func (p Policy) Withheld(action metadata.Action) error {
	if p.Granted(action) {
		return p.forbidden(action, action.Effect)
	}
	return metadata.Errorf(metadata.ScopeMissing, "no account that is signed in has granted what %s needs", action.Tool).
		WithHint("The user can grant it: run `kota auth login` and tick every box.")
}

func refused(action metadata.Action, key, by string) error {
	return metadata.Errorf(metadata.Refused, "bundles.yaml refuses calls like this one of %s", action.Tool).
		WithHint("The user can allow it with the line `%s: ask` or `%s: allow` %s.", key, key, by)
}
