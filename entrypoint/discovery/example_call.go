package discovery

import (
	"cmp"
	"slices"

	"kota/entrypoint"
	"kota/metadata"
	"kota/metadata/search"
)

// exampleCall returns a short example call of the action that the policy lets run; a
// mail that must not be sent becomes a draft. It offers an action that sends or deletes
// only if the query clearly asks for that. It prefers an example that does neither, then
// one that shares a word with the query. It returns nil if no example is left.
func (c *Catalogue) exampleCall(a catalogueAction, query string) *metadata.Step {
	if !search.Asks(query, a.Action) {
		return nil
	}
	var first, fits *metadata.Step
	for _, example := range a.Examples {
		call, effect, allowed := c.asCall(a, example)
		if !allowed || jsonSize(call) > maxCallBytes {
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

// asCall returns the example as a call, its effect, and whether the policy lets it run.
func (c *Catalogue) asCall(a catalogueAction, example metadata.Example) (metadata.Step, metadata.Effect, bool) {
	call := metadata.Step{Tool: a.Tool, Args: example.Args}
	action, on := entrypoint.Enabled(c.installed, a.bundle.Key, a.Name)
	if !on {
		return call, a.Effect, true
	}
	args, effect, may := c.policy.AllowedArgs(action, example.Args)
	call.Args = args
	return call, effect, may
}

// policySummary tells a model that is shown these actions how the policy restricts all
// calls, so that it does not learn it from refusals. It returns "" without restrictions.
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
