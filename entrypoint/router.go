// Package entrypoint is how actions are reached: one router that finds,
// checks, allows and runs a call, and the doors to it (the MCP server, its
// discovery tools, the command line).
package entrypoint

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"time"

	"kota/bundles"
	"kota/metadata"
)

// Options is what a Router is made of.
type Options struct {
	Bundles   []bundles.Bundle // those that exist under the policy, on or off, with their visible actions
	Discovery Discovery
	Policy    Policy
	Log       *slog.Logger      // nil discards
	Timeout   time.Duration     // of one call; 0 means a minute
	Ledger    *Ledger           // counts what comes by Answer; nil counts nothing
	Broken    map[string]string // why, by the keys of the bundles that are on and cannot work

	Hidden hush
	NoUndo map[string]bool // the keys of the bundles whose changes nothing offered undoes

	// Approve asks the user whether what a Request describes may happen. It
	// returns nil for yes, else the error to answer: nothing was done then. Nil
	// asks nobody, and what would have to be asked answers APPROVAL_REQUIRED.
	Approve func(context.Context, Request) error

	// Told returns what became of a call that waited for the user, before it is
	// done again: see Approvals. Nil knows of none.
	Told func(context.Context, Request) (*Settled, error)

	// Known reports whether the user wrote to that address, in the form of
	// ParseRecipient, before a time. Nil knows nobody.
	Known func(ctx context.Context, address string, before time.Time) bool

	// Now is the clock that says when conversations begin; nil is time.Now.
	Now func() time.Time

	// Limit counts what a call is about to do and lets it through, or returns the
	// error to answer: there were too many. A send or a destruction counts as one,
	// n says how many things a change is of that can be undone. It is asked last,
	// when all others have agreed. Nil lets all through.
	Limit func(ctx context.Context, effect metadata.Effect, n int) error

	// Changes calls changed whenever what resources show may have changed, until ctx
	// is done. It is called while somebody has subscribed to any. Nil: nobody can.
	Changes func(ctx context.Context, changed func())

	// Advice returns a message or a hint as whom the router serves should read it.
	// It may be given what it has returned. Nil changes nothing.
	Advice func(string) string

	// Audit records what calls change, and which were not let through. Nil records
	// nothing.
	Audit Audit
}

const defaultTimeout = time.Minute

// A Router carries out every call, whichever door it came through: same
// validation, same policy, same answer. It is safe for concurrent use and its
// catalogue never changes.
type Router struct {
	Discovery
	policy    Policy
	log       *slog.Logger
	timeout   time.Duration
	places    places
	approve   func(context.Context, Request) error
	told      func(context.Context, Request) (*Settled, error)
	session   Session // of the calls that come with none of their own
	ledger    *Ledger
	audit     Audit
	advice    func(string) string
	changes   func(ctx context.Context, changed func())
	limit     func(context.Context, metadata.Effect, int) error
	known     func(context.Context, string, time.Time) bool
	now       func() time.Time
	installed []bundles.Bundle // visible ones, on or off, in catalogue order
	tools     map[string]bundles.Action
	noUndo    map[string]bool   // the keys of the bundles whose changes nothing offered undoes
	broken    map[string]string // why, by the keys of the bundles that are on and cannot work
	kota      bundles.Bundle    // the discovery tools
	hush      hush
}

// New returns a router over the bundles.
func New(p Options) *Router {
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	if p.Timeout == 0 {
		p.Timeout = defaultTimeout
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	r := &Router{
		Discovery: p.Discovery, policy: p.Policy, log: p.Log, timeout: p.Timeout, places: newPlaces(), approve: p.Approve, told: p.Told,
		ledger: p.Ledger, audit: p.Audit, advice: p.Advice, changes: p.Changes, limit: p.Limit, known: p.Known, now: p.Now,
		installed: p.Bundles, tools: map[string]bundles.Action{}, noUndo: p.NoUndo, broken: p.Broken, kota: p.Discovery.Tools(), hush: p.Hidden,
	}
	for _, b := range append([]bundles.Bundle{r.kota}, r.installed...) {
		for _, a := range b.Actions {
			if b.Enabled {
				r.tools[a.Tool] = a
			}
		}
	}
	return r
}

// Call finds the action of that tool name, checks args against its schema,
// asks the policy and runs it. A name that can mean but one tool is understood:
// see find. The value it returns marshals to a JSON object.
// Every error is a *metadata.Error.
func (r *Router) Call(ctx context.Context, tool string, args json.RawMessage) (any, error) {
	action, ok := r.tools[tool]
	if !ok {
		found, err := r.Find(tool, args)
		if err != nil {
			return nil, err
		}
		action = found
		r.repaired(ctx, action.Tool, []string{"the tool's name read as " + action.Tool})
	}
	return r.run(ctx, action, args)
}

// Action returns the description of the tool that is on under that name, the
// kota tools included.
func (r *Router) Action(tool string) (metadata.Action, bool) {
	a, ok := r.tools[tool]
	return a.Action, ok
}

// Broken returns why the bundles that are on and cannot work cannot, by their
// keys.
func (r *Router) Broken() map[string]string { return maps.Clone(r.broken) }

// run carries the call out and turns whatever goes wrong, a panic included,
// into an error with a code. Faults of ours are logged here, once.
func (r *Router) run(ctx context.Context, action bundles.Action, args json.RawMessage) (any, error) {
	return r.guard(ctx, action.Tool, action.Effect, func(ctx context.Context) (any, error) { return r.carryOut(ctx, action, args) })
}

// guard does something of a bundle's within the time there is for it.
func (r *Router) guard(ctx context.Context, what string, effect metadata.Effect, do func(context.Context) (any, error)) (out any, err error) {
	ctx, over := r.inSession(ctx)
	defer over()
	ctx, cancel := limited(ctx, r.timeout-overtime(r.timeout))
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, panicked(p)
		}
		if err == nil {
			return
		}
		out, err = nil, reported(r.log, what, r.advised(r.hush.failure(classify(err))))
	}()
	return r.inTime(bundles.WithSay(ctx, r.hush.say), what, effect, do)
}

// carryOut checks, allows and does.
func (r *Router) carryOut(ctx context.Context, action bundles.Action, args json.RawMessage) (any, error) {
	reached(ctx, action)
	if isEntryPoint(action.Tool) {
		return r.carryOutTarget(ctx, action, args)
	}
	call, err := action.Prepare(args)
	if err != nil {
		return nil, err
	}
	return r.recorded(ctx, action, call)
}

// carryOutTarget does what an entry point is asked to run. The arguments of the
// target reach its own schema byte for byte.
func (r *Router) carryOutTarget(ctx context.Context, entry bundles.Action, args json.RawMessage) (any, error) {
	target, err := r.Target(entry.Input, args)
	if err != nil {
		return nil, err
	}
	r.repaired(ctx, entry.Tool, target.Repaired)
	if entry.Tool == ReadTool {
		return r.carryOutRead(ctx, target.Action, target.Args)
	}
	return r.carryOut(ctx, target.Action, target.Args)
}

// perform does a call that is checked, where the policy allows it. All that
// follows, the user included, sees the arguments as they were understood.
func (r *Router) perform(ctx context.Context, action bundles.Action, call bundles.Call) (any, error) {
	r.repaired(ctx, action.Tool, call.Repaired)
	superseded(ctx, action.Action)
	return persist(ctx, func(ctx context.Context) (any, error) { return r.attempt(ctx, action, call) })
}

// attempt does the call, unless its user must agree first.
func (r *Router) attempt(ctx context.Context, action bundles.Action, call bundles.Call) (any, error) {
	if !IsDiscoveryTool(action.Tool) {
		if err := r.policy.allow(action.Action, call); err != nil {
			return nil, err
		}
		if out, settled, err := r.settled(ctx, action.Action, call); settled || err != nil {
			return out, err
		}
		wanted := call.Effect
		var err error
		if call, err = r.policy.gated(action.Action, call); err != nil {
			return nil, err
		}
		if call.Effect != wanted {
			became(ctx, action.Action, call)
		}
		if ctx, err = r.consented(ctx, action.Action, call); err != nil {
			return nil, err
		}
	}
	start := time.Now()
	do := func(ctx context.Context) (any, error) {
		return call.Do(staging(bundles.WithScopes(bundles.WithCall(ctx), action.Scopes), action))
	}
	out, err := r.inPlace(ctx, action.Action, do)
	r.log.LogAttrs(ctx, slog.LevelDebug, "call", slog.String("tool", action.Tool), slog.String("effect", string(call.Effect)),
		slog.Duration("took", time.Since(start)), slog.String("code", string(metadata.CodeOf(err))))
	return out, err
}
