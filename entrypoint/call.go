package entrypoint

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// A Call holds everything that is known about one call. The caller fills in the first
// group of fields and reads the second group after the answer. A Call is used once.
type Call struct {
	Tool     string          // the name that the caller used
	Args     json.RawMessage // as the caller sent them
	Channel  Channel         // how the call arrived; "" for none of the channels
	Session  *Session        // nil: the session of the context, or else of the router
	Approval *ApprovalByID   // set if the user approved this call by its id; nil for every other call
	Answer   *FormReply      // the user's answer that the client sent with the call; nil if none
	Progress func(step string)
	Slot     *Slot // taken by the transport for this call; nil: the router takes one

	Repairs []string // what was repaired in the arguments: one phrase each, without values
	Note    string   // a note for the caller next to the answer; "" for none

	// The results of each step, for the steps that follow.
	Action          bundles.Action // the action to carry out; an entry point until its target is known
	Prepared        bundles.Call   // the checked call with its effect; a draft if the mail must not be sent
	ReachedTool     string         // the last tool that the call reached; "" if no tool has the name
	ApprovedDigests []string       // digests of what the user approved during the call
	Record          Record         // the call's entry in the audit log; nil if nothing is recorded
	Env             bundles.Env    // what the handler sees
	Text            []byte         // the answer as JSON, after it is rendered

	log     *slog.Logger // nil until the call begins
	nested  bool         // made by the handler of another call
	onStage func(tool string, schema *metadata.Schema)
}

// A Channel is the way by which a caller found or called an action.
type Channel string

const (
	ByDiscover   Channel = "discover"    // shown by a search
	ByDescribe   Channel = "describe"    // described by kota_describe_bundle
	ByName       Channel = "direct"      // called as a tool of its own
	ByEntryPoint Channel = "entry_point" // through kota_entry_point
	ByRead       Channel = "read"        // through kota_read
	ByCLI        Channel = "cli"         // at the command line
	ByConsole    Channel = "console"     // in the browser
)

// A Record is the audit log's entry for a call.
type Record interface {
	// NoteSubstitution notes that the call was replaced by another one, for example a
	// draft instead of a mail. It is called before anything changes.
	NoteSubstitution(*Call)
	// NoteApproval records how the user approved the call: "terminal",
	// "client", or the command with the id of the pending call, such as
	// "approve a_k3v9q2m7xw".
	NoteApproval(how string)
}

// callFromContext returns the call in ctx, or nil if absent.
func callFromContext(ctx context.Context) *Call {
	c, _ := bundles.EnvOf(ctx).Caller.(*Call)
	return c
}

// newContext returns a context for work that is part of the call.
func (c *Call) newContext(ctx context.Context) context.Context {
	env := *bundles.EnvOf(ctx)
	env.Caller = c
	return env.NewContext(ctx)
}

// begin takes the session from the context if the caller did not set it. A nested call
// also takes the channel, approvals, record and slot of the outer call.
func (c *Call) begin(ctx context.Context, r *Router) {
	c.log = r.log
	c.Env = *bundles.EnvOf(ctx)
	if outer := callFromContext(ctx); outer != nil {
		if c.Session == nil {
			c.Session = outer.Session
		}
		c.onStage = outer.onStage
		if outer.log != nil {
			c.nested, c.Channel = true, outer.Channel
			c.Approval, c.Answer, c.ApprovedDigests = outer.Approval, outer.Answer, slices.Clip(outer.ApprovedDigests)
			c.Record, c.Slot = outer.Record, outer.Slot
		}
	}
	if c.Session == nil {
		c.Session = &r.session
	}
	c.Env.Caller = c
}

// setReachedTool notes that the call reached the tool: the called tool, or the target of an
// entry point. For a target, it also sets the channel.
func (c *Call) setReachedTool(tool string) {
	switch c.ReachedTool {
	case EntryPointTool:
		c.Channel = ByEntryPoint
	case ReadTool:
		c.Channel = ByRead
	}
	c.ReachedTool = tool
}

// Nested reports whether the handler of another call made this call. A nested call
// is part of the outer call's work and shares its session, record and slot.
func (c *Call) Nested() bool { return c.nested }

// NoteRepairs notes what was repaired in a call of the tool.
func (c *Call) NoteRepairs(tool string, notes []string) {
	if c == nil || len(notes) == 0 {
		return
	}
	c.log.Debug("repaired", "tool", tool, "notes", notes)
	c.Repairs = append(c.Repairs, notes...)
}

// NoteRepairs notes what a handler repaired in the call in ctx.
func NoteRepairs(ctx context.Context, tool string, notes []string) {
	callFromContext(ctx).NoteRepairs(tool, notes)
}

// NoteApproval records how the user approved the call.
func (c *Call) NoteApproval(how string) {
	if c.Record != nil {
		c.Record.NoteApproval(how)
	}
}
