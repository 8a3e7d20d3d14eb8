// Package audit writes calls to the audit log: the calls that change something, and calls that
// were refused or wait for approval (see countsAsRefused). It does not record reads.
package audit

import (
	"context"
	"encoding/json"
	"slices"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// An Entry describes a call that may change something.
type Entry struct {
	Tool    string
	Effect  metadata.Effect    // the effect of this call, not of its action
	Channel entrypoint.Channel // see entrypoint.Call
	Args    json.RawMessage    // as metadata.Schema.Redact returns them
}

// An Auditor keeps the audit log.
type Auditor interface {
	// Begin begins the record of a call and sets env.AuditTrail. Code with this Env writes
	// the record through env.AuditTrail before it changes something.
	Begin(env *bundles.Env, entry Entry) Trail
}

// A Trail is the record of one call, from before its first change to its end. A call that
// changes nothing and is not refused leaves no record.
type Trail interface {
	// NoteSubstitution notes that the call was replaced by another one, for example a
	// draft instead of a mail. KOTA calls it before anything changes.
	NoteSubstitution(Entry)
	// NoteApproval notes how the user approved the call: see entrypoint.Record.
	NoteApproval(how string)
	// End notes the code of the call's error, or "" if it succeeded. If refused is true,
	// the record stays even if the call changed nothing.
	End(code metadata.Code, refused bool)
}

// Record lets the Auditor follow each call that may change something. A nil Auditor records
// nothing.
func Record(a Auditor) entrypoint.Middleware {
	if a == nil {
		return entrypoint.Unchanged
	}
	return func(next entrypoint.Handler) entrypoint.Handler {
		return func(ctx context.Context, c *entrypoint.Call) (any, error) {
			effect := c.Prepared.Effect
			if effect == metadata.Reads || entrypoint.IsDiscoveryTool(c.Action.Tool) {
				return next(ctx, c)
			}
			trail := a.Begin(&c.Env, entryOf(c))
			c.Record = record{trail}
			code := metadata.Internal // if the call panics
			defer func() { trail.End(code, countsAsRefused(c, effect, code)) }()
			out, err := next(ctx, c)
			if code = ""; err != nil {
				code = entrypoint.Classify(err).Code
			}
			return out, err
		}
	}
}

// A record is the Trail as the other steps see it.
type record struct{ Trail }

func (r record) NoteSubstitution(c *entrypoint.Call) { r.Trail.NoteSubstitution(entryOf(c)) }

func entryOf(c *entrypoint.Call) Entry {
	return Entry{Tool: c.Action.Tool, Effect: c.Prepared.Effect, Channel: c.Channel, Args: c.Action.Input.Redact(c.Prepared.Args)}
}

// countsAsRefused reports whether the log must keep a call that ended with this code, although
// it changed nothing. It reports true for every refusal and for every call that waits for
// approval. If the profile or a limit stopped the call, only sends and destructions count.
func countsAsRefused(c *entrypoint.Call, effect metadata.Effect, code metadata.Code) bool {
	switch code {
	case metadata.Refused, metadata.ApprovalNeeded: // whatever the effect: a call that writes may turn out to send
		return true
	case metadata.WritesDisabled, metadata.RateLimited:
		return slices.Contains([]metadata.Effect{metadata.Sends, metadata.Destroys}, effect)
	case metadata.Conflict: // of a call that the user had approved
		return c.Approval != nil
	}
	return false
}
