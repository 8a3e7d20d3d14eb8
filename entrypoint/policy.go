package entrypoint

import (
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// A Gate says what happens to calls that reach other people or cannot be
// undone.
type Gate string

const (
	Ask    Gate = "ask"    // the user is asked first, where there is a way to ask
	Allow  Gate = "allow"  // they run
	Refuse Gate = "refuse" // they answer REFUSED
)

// A Policy decides which actions exist for this process and which of them may
// run. The zero Policy lets everything be seen and run.
type Policy struct {
	Profile string            // its name, for messages
	Effects []metadata.Effect // those that may run; nil means all
	Bundles []string          // keys of the bundles that exist; nil means all
	Actions []string          // tool names that exist; nil means all
	Send    Gate
	Destroy Gate
}

// visible reports whether the action exists at all under this policy. What is
// not visible is answered exactly as what was never there.
func (p Policy) visible(bundle string, action metadata.Action) bool {
	return (p.Bundles == nil || slices.Contains(p.Bundles, bundle)) &&
		(p.Actions == nil || slices.Contains(p.Actions, action.Tool))
}

// Permit returns nil when work of that effect, which is no action's, may be done
// under the profile; else the error that says which line forbids it.
func (p Policy) Permit(what string, effect metadata.Effect) error {
	if p.permits(effect) {
		return nil
	}
	return p.forbidden(metadata.Action{Tool: what}, effect)
}

// permits reports whether calls with that effect may run under the profile.
func (p Policy) permits(effect metadata.Effect) bool {
	return p.Effects == nil || slices.Contains(p.Effects, effect)
}

// offers reports whether some call of the action may run, so that it is worth
// listing. A call that may not run still says which line of bundles.yaml
// forbids it.
func (p Policy) offers(action bundles.Action) bool {
	return p.permits(action.Effect) || action.Graded && p.permits(metadata.Writes)
}

// allow returns nil when the prepared call may run, else the error to answer.
func (p Policy) allow(action metadata.Action, call bundles.Call) error {
	if !p.permits(call.Effect) {
		return p.forbidden(action, call.Effect)
	}
	if call.Effect == metadata.Sends && p.Send == Refuse {
		return refused(action, "send")
	}
	if call.Effect == metadata.Destroys && p.Destroy == Refuse {
		return refused(action, "destroy")
	}
	return nil
}

// asks reports whether the user is to be asked before calls with that effect.
func (p Policy) asks(effect metadata.Effect) bool {
	return effect == metadata.Sends && (p.Send == Ask || p.Send == "") ||
		effect == metadata.Destroys && (p.Destroy == Ask || p.Destroy == "")
}

func (p Policy) forbidden(action metadata.Action, effect metadata.Effect) error {
	return metadata.Errorf(metadata.WritesDisabled, "%s %s, and the profile %q does not allow that", action.Tool, effect, p.Profile).
		WithHint("The user can allow it in bundles.yaml with the line `profile: full`, or with a profile whose effects include %q.", effect)
}

func refused(action metadata.Action, key string) error {
	return metadata.Errorf(metadata.Refused, "bundles.yaml refuses calls like this one of %s", action.Tool).
		WithHint("The user can allow it in bundles.yaml with the line `%s: ask` or `%s: allow`.", key, key)
}
