package entrypoint

import (
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"

	"kota/bundles"
	"kota/metadata"
)

// A Call is everything known about one call. Who makes it fills in the first group,
// and reads the second once it is answered. It is for one call alone.
type Call struct {
	Tool     string          // the name that it was made by
	Args     json.RawMessage // as they were sent
	Channel  Channel         // how it came; "" by none
	Session  *Session        // nil: that of the context, else the router's own
	Approval *ApprovalByID   // the user has named it by an id; nil for every other call
	Answer   *FormReply      // the user's answer that came back with it; nil for none
	Progress func(step string)
	Slot     *Slot // that its transport took for it; nil: the router takes one

	Repairs []string // what was repaired of it, a phrase each, without values
	Note    string   // what its caller is told beside the answer; "" for nothing

	// What the pipeline has found out so far.
	Action   bundles.Action // to be carried out; an entry point until its target is known
	Prepared bundles.Call   // checked, with its effect; a draft in the place of what may not be sent

	router    *Router
	within    bool         // another call's handler made it
	reached   string       // the last tool that it has come to
	agreed    []string     // digests of what the user has agreed to while it waited
	record    Record       // in the audit log; nil where nothing is recorded
	untrusted *atomic.Bool // text from strangers is in its answer
	onStage   func(tool string, schema *metadata.Schema)
}

// callOf returns the call in ctx, nil where there is none.
func callOf(ctx context.Context) *Call {
	c, _ := bundles.EnvOf(ctx).Caller.(*Call)
	return c
}

// in returns ctx for what is part of the call.
func (c *Call) in(ctx context.Context) context.Context {
	env := *bundles.EnvOf(ctx)
	env.Caller = c
	return env.In(ctx)
}

// begin has the call take from the context what its caller did not say: the
// session, and all that the call has which makes it in turn.
func (c *Call) begin(ctx context.Context, r *Router) {
	c.router = r
	if outer := callOf(ctx); outer != nil {
		if c.Session == nil {
			c.Session = outer.Session
		}
		c.onStage = outer.onStage
		if outer.router != nil {
			c.within, c.Channel = true, outer.Channel
			c.Approval, c.Answer, c.agreed = outer.Approval, outer.Answer, slices.Clip(outer.agreed)
			c.record, c.Slot, c.untrusted = outer.record, outer.Slot, outer.untrusted
		}
	}
	if c.Session == nil {
		c.Session = &r.session
	}
	if c.untrusted == nil {
		c.untrusted = &atomic.Bool{}
	}
}

// reach notes that the call has come to a tool: its own, or through an entry point
// another one, which says how it came there.
func (c *Call) reach(tool string) {
	switch c.reached {
	case EntryPointTool:
		c.Channel = ByEntryPoint
	case ReadTool:
		c.Channel = ByRead
	}
	c.reached = tool
}

// NoteRepairs notes what was repaired of a call of the tool.
func (c *Call) NoteRepairs(tool string, notes []string) {
	if c == nil || len(notes) == 0 {
		return
	}
	c.router.log.Debug("repaired", "tool", tool, "notes", notes)
	c.Repairs = append(c.Repairs, notes...)
}

// NoteRepairs notes what a handler has repaired of the call in ctx.
func NoteRepairs(ctx context.Context, tool string, notes []string) {
	callOf(ctx).NoteRepairs(tool, notes)
}

// byCommand reports whether a command makes the call: its answer is read by whoever
// typed it, the user or a program.
func (c *Call) byCommand() bool { return c != nil && c.Channel == ByCLI }

// approved reports whether the call is carried out by `kota approve`.
func (c *Call) approved() bool { return c != nil && c.Approval != nil }
