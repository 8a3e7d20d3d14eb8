package entrypoint

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

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

	// What each step has found out, for those that follow.
	Action   bundles.Action // to be carried out; an entry point until its target is known
	Prepared bundles.Call   // checked, with its effect; a draft in the place of what may not be sent
	Reached  string         // the last tool that it has come to; "" where there is none of its name
	Agreed   []string       // digests of what the user has agreed to while it waited
	Record   Record         // in the audit log; nil where nothing is recorded
	Env      bundles.Env    // what its handler sees
	Text     []byte         // the JSON of its answer, once that is rendered

	log     *slog.Logger // nil before it has begun
	nested  bool         // another call's handler made it
	onStage func(tool string, schema *metadata.Schema)
}

// A Channel is a way by which an action is come upon, or called.
type Channel string

const (
	ByDiscover   Channel = "discover"    // a search showed it
	ByDescribe   Channel = "describe"    // it was read up on
	ByName       Channel = "direct"      // it was called as a tool of its own
	ByEntryPoint Channel = "entry_point" // through kota_entry_point
	ByRead       Channel = "read"        // through kota_read
	ByCLI        Channel = "cli"         // at the command line
)

// A Record is what the audit log has of a call.
type Record interface {
	// Substituted says that the call is another one by now, before that changes
	// anything: a draft where a mail was to be sent.
	Substituted(*Call)
	// Approved says how the user agreed to it: "terminal", "client" or the
	// command that named it, "approve a_k3v9q2m7xw".
	Approved(how string)
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
	c.log = r.log
	c.Env = *bundles.EnvOf(ctx)
	if outer := callOf(ctx); outer != nil {
		if c.Session == nil {
			c.Session = outer.Session
		}
		c.onStage = outer.onStage
		if outer.log != nil {
			c.nested, c.Channel = true, outer.Channel
			c.Approval, c.Answer, c.Agreed = outer.Approval, outer.Answer, slices.Clip(outer.Agreed)
			c.Record, c.Slot = outer.Record, outer.Slot
		}
	}
	if c.Session == nil {
		c.Session = &r.session
	}
	c.Env.Caller = c
}

// reach notes that the call has come to a tool: its own, or through an entry point
// another one, which says how it came there.
func (c *Call) reach(tool string) {
	switch c.Reached {
	case EntryPointTool:
		c.Channel = ByEntryPoint
	case ReadTool:
		c.Channel = ByRead
	}
	c.Reached = tool
}

// Nested reports whether another call's handler made the call. It is part of that
// one's work then, and shares its session, record and slot.
func (c *Call) Nested() bool { return c.nested }

// NoteRepairs notes what was repaired of a call of the tool.
func (c *Call) NoteRepairs(tool string, notes []string) {
	if c == nil || len(notes) == 0 {
		return
	}
	c.log.Debug("repaired", "tool", tool, "notes", notes)
	c.Repairs = append(c.Repairs, notes...)
}

// NoteRepairs notes what a handler has repaired of the call in ctx.
func NoteRepairs(ctx context.Context, tool string, notes []string) {
	callOf(ctx).NoteRepairs(tool, notes)
}

// NoteApproval records how the user agreed to the call.
func (c *Call) NoteApproval(how string) {
	if c.Record != nil {
		c.Record.Approved(how)
	}
}
