// Package entrypoint is how actions are reached: one router that finds,
// checks, allows and runs a call, and the doors to it (the MCP server, its
// discovery tools, the command line).
package entrypoint

import (
	"context"
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
	slots     slots
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

	handleCall Handler // the pipeline
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
		Discovery: p.Discovery, policy: p.Policy, log: p.Log, timeout: p.Timeout, approve: p.Approve, told: p.Told,
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
	r.handleCall = chain(r.pipeline(), run)
	return r
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
