package entrypoint

import (
	"encoding/json"
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// asDraft is the argument with which a mail is saved and not sent.
const asDraft = "as_draft"

// readyCall returns the first example of the action that may run and is not long,
// as a call; a mail that may not be sent as its draft. It is nil when there is
// none.
func (c *catalogue) readyCall(a listed) *metadata.Step {
	for _, example := range a.Examples {
		call := metadata.Step{Tool: a.Tool, Args: example.Args}
		if action, on := c.runnable(a.Tool); on {
			var may bool
			if call.Args, may = c.policy.fitting(action, example.Args); !may {
				continue
			}
		}
		if size(call) <= callMost {
			return &call
		}
	}
	return nil
}

// fitting returns the arguments as those of a call that may run, and whether
// there is one.
func (p Policy) fitting(action bundles.Action, args any) (any, bool) {
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
		return nil, false
	}
	_, err = p.gated(action.Action, call)
	return args, err == nil
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
