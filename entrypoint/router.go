// Package entrypoint is how actions are reached: one router that finds,
// checks, allows and runs a call, and the doors to it (the MCP server, its
// discovery tools, the command line).
package entrypoint

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"kota/bundles"
	"kota/metadata"
)

// Options is what a Router is made of.
type Options struct {
	Bundles []bundles.Bundle // every bundle there is; Enabled says which are on
	Policy  Policy
	Log     *slog.Logger  // nil discards
	Timeout time.Duration // of one call; 0 means a minute
	Ledger  *Ledger       // counts what comes by Answer; nil counts nothing
	Meaning Meaning       // a second way to search; nil: by words alone

	// Trouble returns what keeps the bundle of that key from working now, with the
	// remedy; "" when nothing does. It is asked whenever a bundle is shown. Nil
	// knows of none.
	Trouble func(key string) string

	// Pairs returns how often tools were called soon after one another, which
	// descriptions make use of. It is asked once, when something is first
	// described. Nil knows of none.
	Pairs func(context.Context) map[Pair]int

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

// Meaning says which of some texts, by their places, mean what a query means:
// the most similar first. The texts are the same on every call. The note, which
// is shown to the caller, says why not all of them were compared.
type Meaning func(ctx context.Context, query string, among []string) (similar []int, note string)

const defaultTimeout = time.Minute

// A Router carries out every call, whichever door it came through: same
// validation, same policy, same answer. It is safe for concurrent use and its
// catalogue never changes.
type Router struct {
	policy    Policy
	log       *slog.Logger
	timeout   time.Duration
	places    places
	approve   func(context.Context, Request) error
	told      func(context.Context, Request) (*Settled, error)
	session   session // of the calls that come with none of their own
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
	catalogue *catalogue
}

// New returns a router over the bundles. It returns an error when two bundles
// share a key. An enabled one that cannot work, since it depends on one that is
// off or unknown or misdescribes itself (see bundles.Bundle.Check), is shown as
// unavailable, and its calls say why; the others work.
func New(o Options) (*Router, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := checkKeys(o.Bundles); err != nil {
		return nil, err
	}
	r := &Router{
		policy: o.Policy, log: o.Log, timeout: o.Timeout, places: newPlaces(), approve: o.Approve, told: o.Told,
		ledger: o.Ledger, audit: o.Audit, advice: o.Advice, changes: o.Changes, limit: o.Limit, known: o.Known, now: o.Now, tools: map[string]bundles.Action{}, noUndo: map[string]bool{}, broken: map[string]string{},
	}
	r.hush = o.Policy.hush(o.Bundles)
	for _, b := range o.Policy.Hushed(o.Bundles) {
		r.noUndo[b.Key] = r.hush.cannotUndo(b)
		if b.Key == kotaKey || strings.HasPrefix(b.Key, kotaKey+"_") {
			return nil, fmt.Errorf("the bundle key %q is reserved for the discovery tools", b.Key)
		}
		b.Actions = slices.DeleteFunc(slices.Clone(b.Actions), func(a bundles.Action) bool {
			return !o.Policy.visible(b.Bundle, a.Action)
		})
		if len(b.Actions) == 0 && (!b.IsBroken() || len(o.Policy.hides(b.Bundle, metadata.Action{})) > 0) {
			continue
		}
		b.Resources = slices.DeleteFunc(slices.Clone(b.Resources), func(x bundles.Resource) bool { return !r.offered(b, x.Action) })
		b.Prompts = slices.DeleteFunc(slices.Clone(b.Prompts), func(x bundles.Prompt) bool { return !r.offered(b, x.Action) })
		r.installed = append(r.installed, b)
	}
	reasons := r.unfit(o.Bundles)
	for i, b := range r.installed {
		if !b.Enabled {
			continue
		}
		if reasons[i] != "" {
			r.broken[b.Key] = reasons[i]
			b = bundles.Broken(b.Bundle, reasons[i])
			r.installed[i] = b
		}
		for _, a := range b.Actions {
			r.tools[a.Tool] = a
		}
	}
	r.catalogue = newCatalogue(o.Bundles, r.installed, o.Policy)
	r.catalogue.companions = &companions{pairs: o.Pairs}
	r.catalogue.meaning, r.catalogue.trouble = o.Meaning, o.Trouble
	r.catalogue.runnable = func(tool string) (bundles.Action, bool) { a, on := r.tools[tool]; return a, on }
	r.kota = r.kotaTools()
	for _, a := range r.kota.Actions {
		r.tools[a.Tool] = a
	}
	return r, nil
}

// Call finds the action of that tool name, checks args against its schema,
// asks the policy and runs it. A name that can mean but one tool is understood:
// see find. The value it returns marshals to a JSON object.
// Every error is a *metadata.Error.
func (r *Router) Call(ctx context.Context, tool string, args json.RawMessage) (any, error) {
	action, ok := r.tools[tool]
	if !ok {
		found, err := r.find(tool)
		if err != nil {
			return nil, err
		}
		if action, err = found.with(args); err != nil {
			return nil, err
		}
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

// Catalogue returns the bundles that are on, as the discovery tools describe
// them.
func (r *Router) Catalogue() []metadata.Bundle {
	on := slices.DeleteFunc(slices.Clone(r.catalogue.bundles), func(b metadata.Bundle) bool { return !b.Enabled })
	for i := range on {
		on[i].Unavailable = r.catalogue.unavailableNow(on[i])
	}
	return on
}

// Offers reports whether any action of any bundle can be called. It looks at
// no account and no database, as Catalogue does.
func (r *Router) Offers() bool {
	return len(r.listable()) > 0
}

// offered reports whether the bundle has an action of that name that some call
// may run. What shows the same as an action comes and goes with it.
func (r *Router) offered(b bundles.Bundle, action string) bool {
	return slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return a.Name == action && r.policy.offers(a) })
}

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
	call, err := action.Prepare(args)
	if err != nil {
		return nil, err
	}
	return r.recorded(ctx, action, call)
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
	if isEntryPoint(action.Tool) {
		return call.Do(ctx) // what it runs is a call of its own, with all that follows
	}
	if !isKota(action.Tool) {
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

// kotaKey is the key of the discovery tools. No other bundle may have it.
const kotaKey = "kota"

// isKota reports whether the tool is one of the four. The policy decides about
// what they run, not about them.
func isKota(tool string) bool { return strings.HasPrefix(tool, kotaKey+"_") }

// shorten bounds what an error quotes from its caller.
func shorten(s string) string {
	const most = 80
	runes := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}
