package entrypoint

import (
	"context"
	"encoding/json"
	"slices"

	"kota/metadata"
)

// An AuditEntry is a call that may change something, as it is recorded.
type AuditEntry struct {
	Tool    string
	Effect  metadata.Effect // of this very call
	Channel Channel         // "" when it came by none
	Args    json.RawMessage // as metadata.Schema.Redact leaves them
}

// A Record is what is written down of one act, from before its first change to
// its end. One that changes nothing leaves nothing, unless it was not let
// through.
type Record interface {
	// Became says that another act is done in its place, before that changes
	// anything: a draft where a mail was to be sent.
	Became(AuditEntry)
	// Approved says how the user agreed to it: "terminal", "client" or the
	// command that named it, "approve a_k3v9q2m7xw".
	Approved(how string)
	// End says how it ended: the code of its error, "" for none. Refused says that
	// it was not let through.
	End(code metadata.Code, refused bool)
}

// An Audit begins the record of an act and returns ctx for what that does:
// whoever changes something in that context writes the record first.
type Audit func(ctx context.Context, act AuditEntry) (context.Context, Record)

// NoteApproval records how the user agreed to the call in ctx.
func NoteApproval(ctx context.Context, how string) {
	if c := callOf(ctx); c != nil && c.record != nil {
		c.record.Approved(how)
	}
}

// recordInAudit has a call recorded that is checked, unless it only reads.
func (r *Router) recordInAudit(next Handler) Handler {
	return func(ctx context.Context, c *Call) (any, error) {
		effect := c.Prepared.Effect
		if r.audit == nil || effect == metadata.Reads || IsDiscoveryTool(c.Action.Tool) {
			return next(ctx, c)
		}
		ctx, c.record = r.audit(ctx, c.auditEntry())
		code := metadata.Internal // of a panic
		defer func() { c.record.End(code, c.notLetThrough(effect, code)) }()
		out, err := next(ctx, c)
		if code = ""; err != nil {
			code = classify(err).Code
		}
		return out, err
	}
}

func (c *Call) auditEntry() AuditEntry {
	return AuditEntry{Tool: c.Action.Tool, Effect: c.Prepared.Effect, Channel: c.Channel, Args: c.Action.Input.Redact(c.Prepared.Args)}
}

// notLetThrough reports whether a call that ended so, and that was to reach
// people or to do what cannot be undone, is to be recorded although nothing came
// of it.
func (c *Call) notLetThrough(effect metadata.Effect, code metadata.Code) bool {
	switch code {
	case metadata.Refused, metadata.ApprovalNeeded: // also of a call that turned out to reach people
		return true
	case metadata.WritesDisabled, metadata.RateLimited:
		return slices.Contains([]metadata.Effect{metadata.Sends, metadata.Destroys}, effect)
	case metadata.Conflict: // of one that the user agreed to
		return c.approved()
	}
	return false
}
