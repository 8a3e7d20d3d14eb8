// Package policy decides which actions exist, which of their calls run, and when the
// user is asked. It uses the profile, the gates `send:` and `destroy:`, the lists of
// recipients, and whether the session is tainted. It guarantees that no call does more
// than the policy allows, on every channel.
//
// Start with Policy. Then read Confirmer, which decides what a running call may send,
// destroy, change and remove.
//
// To add a rule, add a field to Policy and a case to one of these:
//   - allow: whether a call runs,
//   - mustAskToSend and mustAskToRemove: whether the user is asked,
//   - hiddenBy: whether an action exists.
package policy

import (
	"context"
	"slices"
	"strings"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// A Policy decides which actions exist for this process and which of them may run. An action
// that the profile hides does not exist for callers: see Explain. The zero Policy hides
// nothing and allows every effect, but asks before a send or a destruction.
type Policy struct {
	Profile       string            // the profile's name, for messages
	FromFlag      bool              // the profile was chosen by --profile, not in bundles.yaml
	Effects       []metadata.Effect // the effects that may run; nil means all
	EffectsSource string            // where the user's own profile lists Effects: "line 7 of bundles.yaml"; "" for a built-in profile
	Bundles       []string          // the keys of the bundles that exist; nil means all
	Tags          []string          // an action exists if it or its bundle has one of these tags; nil means all exist
	Actions       []string          // the actions that exist, as isListed reads them; nil means all
	Without       []string          // the actions that do not exist, as isListed reads them

	Send         Gate             // "" means Ask
	Destroy      Gate             // "" means Ask; never Draft
	SendTo       Recipients       // the allowed recipients; nil means everybody
	PerBundle    map[string]Gates // by key: the gates of one bundle; each gate that is set replaces the same gate above
	ProfileGates Gates            // the gates of the profile, which can make the others only stricter
	Taint        bool             // ask about allowed sends and removals after untrusted text

	// Instructions is the profile's text for the model, or "".
	Instructions string

	// Explain says how the user can show the actions that these filters hide. If Explain
	// is nil, hidden actions get the same errors as actions that never existed.
	Explain func([]Filter) string

	// MissingScopes reports whether no signed-in account has granted all these scopes, or
	// scopes that include them. KOTA then does not offer actions that need them. Nil means
	// that no scope is missing.
	MissingScopes func(scopes []string) bool
}

// Permit is PermitAction for work that belongs to no action. The parameter what names the
// work in the error.
func (p Policy) Permit(what string, effect metadata.Effect) error {
	return p.PermitAction(metadata.Action{Tool: what}, effect)
}

// PermitAction returns nil if the profile allows calls of the action with this effect.
// Otherwise it returns an error that says how the user can allow them.
func (p Policy) PermitAction(action metadata.Action, effect metadata.Effect) error {
	if p.permits(effect) {
		return nil
	}
	return p.forbiddenError(action, effect)
}

// PermitCommand returns nil if a command that the user typed may send something of the
// bundle to these people. The typed command counts as the approval. Otherwise it returns
// the error that says what forbids the send.
func (p Policy) PermitCommand(command, bundle string, people []string) error {
	return p.permitsSending(metadata.Action{Tool: command}, p.gates(bundle), people)
}

// Scopes returns the sorted OAuth scopes that the offered actions of these bundles need
// or can use. It includes scopes that no account has granted yet, because the sign-in
// requests the result.
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

// permits reports whether the profile allows calls with this effect.
func (p Policy) permits(effect metadata.Effect) bool {
	return p.Effects == nil || slices.Contains(p.Effects, effect)
}

// Offers reports whether the profile and the granted rights let some call of the action
// run, so that it is useful to list the action. An action whose effect varies counts as a
// write if the profile forbids its declared effect. Offers ignores the gates: a call that a
// gate forbids returns an error with the line of bundles.yaml.
func (p Policy) Offers(action bundles.Action) bool {
	return p.Granted(action.Action) && (p.permits(action.Effect) || action.EffectVaries && p.permits(metadata.Writes))
}

// Granted reports whether an account has granted the rights that the action needs. A
// call without them returns an error that says how to grant them.
func (p Policy) Granted(action metadata.Action) bool {
	return p.MissingScopes == nil || len(action.Scopes) == 0 || !p.MissingScopes(action.Scopes)
}

// Allow refuses the calls that may not run.
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

// SaveDrafts replaces a call that may not send by one that saves a draft.
func (p Policy) SaveDrafts(next entrypoint.Handler) entrypoint.Handler {
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		if entrypoint.IsDiscoveryTool(c.Action.Tool) {
			return next(ctx, c)
		}
		gated, err := p.applySendGate(c.Action.Action, c.Prepared)
		if err != nil {
			return nil, err
		}
		substituted := gated.Effect != c.Prepared.Effect
		c.Prepared = gated
		if substituted && c.Record != nil {
			c.Record.NoteSubstitution(c)
		}
		return next(ctx, c)
	}
}

// allow returns nil if the prepared call may run, or else the error for the caller.
func (p Policy) allow(action metadata.Action, call bundles.Call) error {
	gates := p.gates(action.BundleKey())
	switch {
	case !p.permits(call.Effect):
		return p.forbiddenError(action, call.Effect)
	case call.Effect == metadata.Sends && gates.Send.Gate == Refuse:
		return refusedError(action, "send", gates.Send.source)
	case call.Effect == metadata.Destroys && gates.Destroy.Gate == Refuse:
		return refusedError(action, "destroy", gates.Destroy.source)
	}
	return nil
}

// applySendGate returns the call that runs under this policy. With `send: draft`, it returns
// the draft of a call that sends, or an error if the call has no draft.
func (p Policy) applySendGate(action metadata.Action, call bundles.Call) (bundles.Call, error) {
	send := p.gates(action.BundleKey()).Send
	switch {
	case call.Effect != metadata.Sends || send.Gate != Draft:
		return call, nil
	case call.Draft == nil:
		return bundles.Call{}, manualOnlyError(action, "other people", send.source)
	}
	return *call.Draft, nil
}

// checkReach returns nil if the policy lets a message reach these people, perhaps after a
// question. Otherwise it returns the error for the caller.
func (p Policy) checkReach(action metadata.Action, people []string) error {
	gates := p.gates(action.BundleKey())
	if err := p.permitsSending(action, gates, people); err != nil {
		return err
	}
	if gates.Send.Gate == Draft {
		return manualOnlyError(action, metadata.FirstFew(people), gates.Send.source)
	}
	return nil
}

// permitsSending returns nil if the policy lets the user approve the send. Otherwise it
// returns the error for the caller.
func (p Policy) permitsSending(action metadata.Action, gates effectiveGates, people []string) error {
	if !p.permits(metadata.Sends) {
		return p.forbiddenError(action, metadata.Sends)
	}
	if unlisted, by := gates.unlisted(people); len(unlisted) > 0 {
		return metadata.Errorf(metadata.Refused, "%s would reach %s, which send_to does not list: nothing was done", action.Tool, strings.Join(unlisted, ", ")).
			WithHint("%sRemove these recipients, or ask the user to add them to `send_to:` %s.", p.draftHint(action), by)
	}
	if gates.Send.Gate == Refuse {
		return refusedError(action, "send", gates.Send.source)
	}
	return nil
}

// manualOnlyError returns the error for a message that only the user may send and that KOTA
// cannot save as a draft.
func manualOnlyError(action metadata.Action, whom, by string) error {
	return metadata.Errorf(metadata.ApprovalNeeded, "%s would reach %s, and bundles.yaml allows only the user to send: nothing was done", action.Tool, whom).
		WithHint("The user can do it in Gmail or Google Calendar, or approve each call after setting `send: ask` %s.", by)
}

func (p Policy) forbiddenError(action metadata.Action, effect metadata.Effect) error {
	instead := ""
	if effect == metadata.Sends {
		instead = p.draftHint(action)
	}
	e := metadata.Errorf(metadata.WritesDisabled, "%s %s, which the profile %q does not allow", action.Tool, effect, p.Profile)
	if p.EffectsSource != "" {
		return e.WithHint("%sThe user can add %q to the `effects:` of that profile, on %s, or allow everything %s.", instead, effect, p.EffectsSource, p.fullProfileHint())
	}
	return e.WithHint("%sThe user can allow it %s, or with a profile whose effects include %q.", instead, p.fullProfileHint(), effect)
}

// draftHint returns a hint to save a draft instead of sending, or "" if no draft is
// possible.
func (p Policy) draftHint(action metadata.Action) string {
	if p.permits(metadata.Writes) && action.HasParam(metadata.AsDraft) {
		return "With as_draft true it saves a draft, which is allowed. "
	}
	return ""
}

// fullProfileHint says how the user chooses the profile that allows everything.
func (p Policy) fullProfileHint() string {
	if p.FromFlag {
		return "with `--profile full` where KOTA is started"
	}
	return "in bundles.yaml with the line `profile: full`"
}

// WithheldError returns the error that says why no call of the action may run.
func (p Policy) WithheldError(action metadata.Action) error {
	if p.Granted(action) {
		return p.forbiddenError(action, action.Effect)
	}
	return metadata.Errorf(metadata.ScopeMissing, "no signed-in account has granted the permissions that %s needs", action.Tool).
		WithHint("The user can grant them: run `kota auth login` and tick every box.")
}

func refusedError(action metadata.Action, key, by string) error {
	return metadata.Errorf(metadata.Refused, "bundles.yaml does not allow this call of %s", action.Tool).
		WithHint("The user can allow it with the line `%s: ask` or `%s: allow` %s.", key, key, by)
}
