package entrypoint

import (
	"cmp"
	"encoding/json"
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// asDraft is the argument with which a mail is saved and not sent.
const asDraft = "as_draft"

// readyCall returns an example of the action as a call that may run and is short;
// a mail that must not be sent becomes a draft. It offers an action that sends or
// deletes only if the query asks for it in so many words, and prefers an example
// that does neither, and one that shares a word with the query. It returns nil if no
// example is left.
func (c *catalogue) readyCall(a listed, query string) *metadata.Step {
	if !a.IsAskedBy(query) {
		return nil
	}
	var first, fits *metadata.Step
	for _, example := range a.Examples {
		call, effect, may := c.exampleCall(a, example)
		if !may || size(call) > callMost {
			continue
		}
		if first == nil {
			first = &call
		}
		if metadata.Writes.Covers(effect) || effect == metadata.Sends && metadata.AsksToSend(query) || effect == metadata.Destroys && metadata.AsksToDelete(query) {
			if metadata.SharesWord(query, example.Title) {
				return &call
			}
			if fits == nil {
				fits = &call
			}
		}
	}
	return cmp.Or(fits, first)
}

// exampleCall returns the example as a call, with the effect it has, and whether
// it may run under the policy.
func (c *catalogue) exampleCall(a listed, example metadata.Example) (metadata.Step, metadata.Effect, bool) {
	call := metadata.Step{Tool: a.Tool, Args: example.Args}
	action, on := c.runnable(a.Tool)
	if !on {
		return call, a.Effect, true
	}
	args, effect, may := c.policy.fitting(action, example.Args)
	call.Args = args
	return call, effect, may
}

// fitting returns the arguments as those of a call that may run, the effect of
// that call, and whether there is one.
func (p Policy) fitting(action bundles.Action, args any) (any, metadata.Effect, bool) {
	raw, err := metadata.Plain(args)
	if err != nil {
		panic("marshal an example: " + err.Error()) // examples are checked when bound
	}
	call, err := action.Prepare(raw)
	if err == nil && call.Effect == metadata.Sends && !p.maySend(bundleOf(action.Action)) && hasParam(action.Action, asDraft) {
		raw = slices.Concat(raw[:len(raw)-1], []byte(`,"`+asDraft+`":true}`))
		args = json.RawMessage(raw)
		call, err = action.Prepare(raw)
	}
	if err != nil || p.allow(action.Action, call) != nil {
		return nil, "", false
	}
	_, err = p.gated(action.Action, call)
	return args, call.Effect, err == nil
}

// maySend reports whether anything of a bundle's may reach other people, be it
// once the user was asked.
func (p Policy) maySend(bundle string) bool {
	gate := p.gates(bundle).Send.Gate
	return p.permits(metadata.Sends) && gate != Draft && gate != Refuse
}

// manner tells a model, which is shown these actions, what the policy makes of
// all calls, so that it need not find out by being refused: "" for nothing.
func (p Policy) manner(actions []listed) string {
	sends := slices.DeleteFunc(slices.Clone(actions), func(a listed) bool { return a.Effect != metadata.Sends || !a.bundle.Enabled })
	switch {
	case p.ReadsOnly():
		return "Nothing can be changed here: calls that do more than read are refused."
	case len(sends) == 0 || slices.ContainsFunc(sends, func(a listed) bool { return p.maySend(a.bundle.Key) }):
		return ""
	case slices.ContainsFunc(sends, func(a listed) bool { return hasParam(a.Action, asDraft) }):
		return "Nothing is sent here: mail is saved as drafts, with " + asDraft + " true."
	}
	return "Nothing is sent to anybody here."
}
