package entrypoint

import (
	"context"
	"encoding/json"
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// An Act is a call that may change something, as it is recorded.
type Act struct {
	Tool   string
	Effect metadata.Effect // of this very call
	Door   Door            // "" when it came by none
	Args   json.RawMessage // as metadata.Schema.Redact leaves them
}

// A Record is what is written down of one act, from before its first change to
// its end. One that changes nothing leaves nothing, unless it was not let
// through.
type Record interface {
	// Became says that another act is done in its place, before that changes
	// anything: a draft where a mail was to be sent.
	Became(Act)
	// Approved says how the user agreed to it: "terminal", "client" or the
	// command that named it, "approve a_k3v9q2m7xw".
	Approved(how string)
	// End says how it ended: the code of its error, "" for none. Refused says that
	// it was not let through.
	End(code metadata.Code, refused bool)
}

// An Audit begins the record of an act and returns ctx for what that does:
// whoever changes something in that context writes the record first.
type Audit func(ctx context.Context, act Act) (context.Context, Record)

type recordKey struct{}

// NoteApproval records how the user agreed to the call in ctx.
func NoteApproval(ctx context.Context, how string) {
	if record, ok := ctx.Value(recordKey{}).(Record); ok {
		record.Approved(how)
	}
}

// recorded performs a call that is checked, and has it recorded unless it only
// reads.
func (r *Router) recorded(ctx context.Context, action bundles.Action, call bundles.Call) (any, error) {
	if r.audit == nil || call.Effect == metadata.Reads || IsDiscoveryTool(action.Tool) {
		return r.perform(ctx, action, call)
	}
	ctx, record := r.audit(ctx, actOf(ctx, action.Action, call))
	code := metadata.Internal // of a panic
	defer func() { record.End(code, notLetThrough(ctx, call.Effect, code)) }()
	out, err := r.perform(context.WithValue(ctx, recordKey{}, record), action, call)
	if code = ""; err != nil {
		code = classify(err).Code
	}
	return out, err
}

// became records that another call is done in the place of the one in ctx.
func became(ctx context.Context, action metadata.Action, call bundles.Call) {
	if record, ok := ctx.Value(recordKey{}).(Record); ok {
		record.Became(actOf(ctx, action, call))
	}
}

func actOf(ctx context.Context, action metadata.Action, call bundles.Call) Act {
	act := Act{Tool: action.Tool, Effect: call.Effect, Args: action.Input.Redact(call.Args)}
	if u, ok := ctx.Value(useKey{}).(*use); ok {
		act.Door = u.door
	}
	return act
}

// notLetThrough reports whether a call that ended so, and that was to reach
// people or to do what cannot be undone, is to be recorded although nothing came
// of it.
func notLetThrough(ctx context.Context, effect metadata.Effect, code metadata.Code) bool {
	switch code {
	case metadata.Refused, metadata.ApprovalNeeded: // also of a call that turned out to reach people
		return true
	case metadata.WritesDisabled, metadata.RateLimited:
		return slices.Contains([]metadata.Effect{metadata.Sends, metadata.Destroys}, effect)
	case metadata.Conflict: // of one that the user agreed to
		return approving(ctx)
	}
	return false
}
