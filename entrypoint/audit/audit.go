// Package audit has calls recorded in the audit log that may change something, and
// those that were not let through. What only reads is not recorded.
package audit

import (
	"context"
	"encoding/json"
	"slices"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// An Entry is a call that may change something, as it is recorded.
type Entry struct {
	Tool    string
	Effect  metadata.Effect    // of this very call
	Channel entrypoint.Channel // "" when it came by none
	Args    json.RawMessage    // as metadata.Schema.Redact leaves them
}

// An Auditor keeps the audit log.
type Auditor interface {
	// Begin begins the record of a call in its Env, and sets env.Trail: whoever
	// changes something in that Env writes the record first.
	Begin(env *bundles.Env, entry Entry) Trail
}

// A Trail is the record of one call, from before its first change to its end. A call
// that changes nothing leaves nothing, unless it was not let through.
type Trail interface {
	// Substituted says that another call is done in its place, before that changes
	// anything: a draft where a mail was to be sent.
	Substituted(Entry)
	// Approved says how the user agreed to it: see entrypoint.Record.
	Approved(how string)
	// End says how it ended: the code of its error, "" for none. Refused says that
	// it was not let through.
	End(code metadata.Code, refused bool)
}

// Record has the Auditor record calls that are checked. A nil one records nothing.
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
			code := metadata.Internal // of a panic
			defer func() { trail.End(code, notLetThrough(c, effect, code)) }()
			out, err := next(ctx, c)
			if code = ""; err != nil {
				code = entrypoint.Classify(err).Code
			}
			return out, err
		}
	}
}

// A record is the Trail as other steps see it.
type record struct{ Trail }

func (r record) Substituted(c *entrypoint.Call) { r.Trail.Substituted(entryOf(c)) }

func entryOf(c *entrypoint.Call) Entry {
	return Entry{Tool: c.Action.Tool, Effect: c.Prepared.Effect, Channel: c.Channel, Args: c.Action.Input.Redact(c.Prepared.Args)}
}

// notLetThrough reports whether a call that ended so, and that was to reach
// people or to do what cannot be undone, is to be recorded although nothing came
// of it.
func notLetThrough(c *entrypoint.Call, effect metadata.Effect, code metadata.Code) bool {
	switch code {
	case metadata.Refused, metadata.ApprovalNeeded: // also of a call that turned out to reach people
		return true
	case metadata.WritesDisabled, metadata.RateLimited:
		return slices.Contains([]metadata.Effect{metadata.Sends, metadata.Destroys}, effect)
	case metadata.Conflict: // of one that the user agreed to
		return c.Approval != nil
	}
	return false
}
