package policy

import (
	"encoding/json"
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// AllowedArgs returns the arguments if a call with them may run, and the effect of the call.
// If the call would send and only a draft is allowed, it adds as_draft. It returns false if
// no such call may run.
func (p Policy) AllowedArgs(action bundles.Action, args any) (any, metadata.Effect, bool) {
	raw, err := metadata.Plain(args)
	if err != nil {
		panic("marshal an example: " + err.Error()) // examples are checked when bound
	}
	call, err := action.Prepare(raw)
	if err == nil && call.Effect == metadata.Sends && !p.MaySend(action.Action.BundleKey()) && action.Action.HasParam(metadata.AsDraft) {
		raw = slices.Concat(raw[:len(raw)-1], []byte(`,"`+metadata.AsDraft+`":true}`))
		args = json.RawMessage(raw)
		call, err = action.Prepare(raw)
	}
	if err != nil || p.allow(action.Action, call) != nil {
		return nil, "", false
	}
	_, err = p.applySendGate(action.Action, call)
	return args, call.Effect, err == nil
}

// MaySend reports whether an action of the bundle may send to other people, perhaps
// after a question.
func (p Policy) MaySend(bundle string) bool {
	gate := p.gates(bundle).Send.Gate
	return p.permits(metadata.Sends) && gate != Draft && gate != Refuse
}
