package discovery

import (
	"cmp"
	"encoding/json"
	"slices"

	"kota/entrypoint"
	"kota/metadata"
	"kota/metadata/search"
)

// exampleCall returns a short example call of the action, or nil. If the bundle is enabled, the
// policy lets the call run: a mail that must not be sent becomes a draft. The query must clearly
// ask for a call that does more than read; see search.Asks. It prefers an example
// that at most writes, or whose effect the query asks for. Among several of these, it prefers an
// example whose title shares a word with the query.
func (c *Catalogue) exampleCall(a catalogueAction, query string) *metadata.Step {
	var first, fits *metadata.Step
	for _, example := range a.Examples {
		call, effect, allowed := c.asCall(a, example)
		if !allowed || jsonSize(call) > maxCallBytes || !asks(query, a.Action, call, effect) {
			continue
		}
		if first == nil {
			first = &call
		}
		if metadata.Writes.Covers(effect) || effect == metadata.Sends && search.AsksToSend(query) || effect == metadata.Destroys && search.AsksToDelete(query) {
			if search.SharesWord(query, example.Title) {
				return &call
			}
			if fits == nil {
				fits = &call
			}
		}
	}
	return cmp.Or(fits, first)
}

// asks reports whether the query asks for the call. A dry run is for somebody who asks for the
// change, so it counts as one.
func asks(query string, a metadata.Action, call metadata.Step, effect metadata.Effect) bool {
	var rehearsal struct {
		DryRun bool `json:"dry_run"`
	}
	raw, err := metadata.Plain(call.Args)
	if err == nil && json.Unmarshal(raw, &rehearsal) == nil && rehearsal.DryRun {
		effect = a.Effect
	}
	return search.Asks(query, a, effect)
}

// asCall returns the example as a call, the call's effect, and whether the policy lets it run.
// For an action of a disabled bundle, it does not ask the policy.
func (c *Catalogue) asCall(a catalogueAction, example metadata.Example) (metadata.Step, metadata.Effect, bool) {
	call := metadata.Step{Tool: a.Tool, Args: example.Args}
	action, on := entrypoint.Enabled(c.installed, a.bundle.Key, a.Name)
	if !on {
		return call, a.Effect, true
	}
	args, effect, allowed := c.policy.AllowedArgs(action, example.Args)
	call.Args = args
	return call, effect, allowed
}

// policySummary says that the policy allows only reads, or that none of these actions may send.
// Otherwise it returns "", even if the policy has other restrictions. It is for a model that
// sees the actions, so that the model does not learn these restrictions from refusals.
func (c *Catalogue) policySummary(actions []catalogueAction) string {
	sends := slices.DeleteFunc(slices.Clone(actions), func(a catalogueAction) bool { return a.Effect != metadata.Sends || !a.bundle.Enabled })
	switch {
	case c.policy.ReadsOnly():
		return "Nothing can be changed here; only calls that read are allowed."
	case len(sends) == 0 || slices.ContainsFunc(sends, func(a catalogueAction) bool { return c.policy.MaySend(a.bundle.Key) }):
		return ""
	case slices.ContainsFunc(sends, func(a catalogueAction) bool { return a.Action.HasParam(metadata.AsDraft) }):
		return "Nothing is sent here: mail is saved as drafts, with " + metadata.AsDraft + " true."
	}
	return "Nothing is sent to anybody here."
}
