package entrypoint

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"kota/bundles"
	"kota/metadata"
)

// A Handler carries out a call, or what is left of it to do.
type Handler func(ctx context.Context, c *Call) (any, error)

// A Middleware is one step that every call takes: it does its part, and has next
// do the rest.
type Middleware func(next Handler) Handler

// pipeline lists the steps of a call in the order in which they run.
func (r *Router) pipeline() []Middleware {
	return append(r.around(),
		r.decode,        // finds the target of an entry point; checks and repairs the arguments
		r.recordInAudit, // what changes something, and what is not let through
		retryAfterApproval,
		r.enforce,     // profile, gates and drafts
		r.askFirst,    // the user, about what is destroyed and not known before
		r.logDuration, // with the time that it waits for a slot
		r.withSlot,    // so many at the same time
	)
}

// around are the steps of all that bundles do: calls, and the texts of resources and
// prompts.
func (r *Router) around() []Middleware {
	return []Middleware{
		r.joinSession,     // whose taint and trust it shares
		r.reportErrors,    // every failure, a panic included, gets a code
		r.runWithDeadline, // and a time to end by
	}
}

// chain returns the steps as one handler that ends with last.
func chain(steps []Middleware, last Handler) Handler {
	for i := len(steps) - 1; i >= 0; i-- {
		last = steps[i](last)
	}
	return last
}

// Call finds the action of that tool name, checks args against its schema,
// asks the policy and runs it. A name that can mean but one tool is understood:
// see Discovery.Find. The value it returns marshals to a JSON object.
// Every error is a *metadata.Error.
func (r *Router) Call(ctx context.Context, tool string, args json.RawMessage) (any, error) {
	return r.do(ctx, &Call{Tool: tool, Args: args})
}

func (r *Router) do(ctx context.Context, c *Call) (any, error) {
	c.begin(ctx, r)
	action, ok := r.tools[c.Tool]
	if !ok {
		found, err := r.Find(c.Tool, c.Args)
		if err != nil {
			return nil, err
		}
		action = found
		c.NoteRepairs(action.Tool, []string{"the tool's name read as " + action.Tool})
	}
	c.Action = action
	return r.handleCall(ctx, c)
}

// guard does something of a bundle's that is no call, within the time there is
// for it.
func (r *Router) guard(ctx context.Context, what string, do func(context.Context) (any, error)) (any, error) {
	c := &Call{Tool: what, Action: bundles.Action{Action: metadata.Action{Tool: what, Effect: metadata.Reads}}}
	c.begin(ctx, r)
	return chain(r.around(), func(ctx context.Context, _ *Call) (any, error) { return do(ctx) })(ctx, c)
}

// joinSession makes the call part of its session. The session takes note of the
// text from strangers in the answer when the call is over: until then nobody has
// seen it, the call's own sends included.
func (r *Router) joinSession(next Handler) Handler {
	return func(ctx context.Context, c *Call) (any, error) {
		ctx, over := r.inSession(ctx, c)
		defer over()
		return next(ctx, c)
	}
}

func (r *Router) inSession(ctx context.Context, c *Call) (_ context.Context, over func()) {
	env := *bundles.EnvOf(ctx)
	env.Caller, env.Say = c, r.hush.say
	if c.Progress != nil {
		env.OnProgress = c.Progress
	}
	if c.within {
		return env.In(ctx), func() {}
	}
	c.Session.begin(r.now())
	env.Untrusted, env.IsTainted = c.markUntrusted, c.isTainted
	return env.In(ctx), func() {
		if c.untrusted.Load() {
			c.Session.foreign.Store(true)
		}
	}
}

func (c *Call) markUntrusted() { c.untrusted.Store(true) }

// isTainted reports whether untrusted text came into the call's session. Where the
// user switched taint off the bundles hear of none, and note what is written down as
// the user's own.
func (c *Call) isTainted() bool { return c.router.policy.Taint && c.Session.foreign.Load() }

// reportErrors turns whatever goes wrong, a panic included, into an error with a
// code. Faults of KOTA's are logged here, once.
func (r *Router) reportErrors(next Handler) Handler {
	return func(ctx context.Context, c *Call) (out any, err error) {
		what := c.Action.Tool
		defer func() {
			if p := recover(); p != nil {
				out, err = nil, panicked(p)
			}
			if err != nil {
				out, err = nil, reported(r.log, what, r.advised(r.hush.failure(classify(err))))
			}
		}()
		return next(ctx, c)
	}
}

// decode finds out what an entry point is to run, and checks and repairs the
// arguments of the action. All that follows, the user included, sees them as they
// were understood.
func (r *Router) decode(next Handler) Handler {
	return func(ctx context.Context, c *Call) (any, error) {
		c.reach(c.Action.Tool)
		args, readsOnly := c.Args, c.Action.Tool == ReadTool
		if isEntryPoint(c.Action.Tool) {
			target, err := r.Target(c.Action.Input, args)
			if err != nil {
				return nil, err
			}
			c.NoteRepairs(c.Action.Tool, target.Repaired)
			c.Action, args = target.Action, target.Args
			if readsOnly && c.Action.Effect != metadata.Reads && !c.Action.Graded {
				return nil, r.noRead(c.Action, c.Action.Effect)
			}
			c.reach(c.Action.Tool)
		}
		prepared, err := c.Action.Prepare(args)
		switch {
		case err != nil && readsOnly:
			return nil, unread(c.Action, err)
		case err != nil:
			return nil, err
		case readsOnly && prepared.Effect != metadata.Reads:
			return nil, r.noRead(c.Action, prepared.Effect)
		}
		c.Prepared = prepared
		c.NoteRepairs(c.Action.Tool, prepared.Repaired)
		if c.Action.Deprecated != "" {
			c.Note = fmt.Sprintf("%s is deprecated. Instead: %s", c.Action.Tool, c.Action.Deprecated)
		}
		return next(ctx, c)
	}
}

// enforce lets the call go on as far as the policy allows: as it is, or as the draft
// of what may not be sent. A call that waited for its user is answered with its
// outcome, once.
func (r *Router) enforce(next Handler) Handler {
	return func(ctx context.Context, c *Call) (any, error) {
		if IsDiscoveryTool(c.Action.Tool) {
			return next(ctx, c)
		}
		if err := r.policy.allow(c.Action.Action, c.Prepared); err != nil {
			return nil, err
		}
		if out, there, err := r.deliveredOutcome(ctx, c); there || err != nil {
			return out, err
		}
		gated, err := r.policy.gated(c.Action.Action, c.Prepared)
		if err != nil {
			return nil, err
		}
		substituted := gated.Effect != c.Prepared.Effect
		c.Prepared = gated
		if substituted && c.record != nil {
			c.record.Became(c.auditEntry())
		}
		return next(ctx, c)
	}
}

// askFirst asks the user about a call that destroys what nobody knows before. About
// all else the bundle asks when it is known: see the confirm methods of Call.
func (r *Router) askFirst(next Handler) Handler {
	return func(ctx context.Context, c *Call) (any, error) {
		if !IsDiscoveryTool(c.Action.Tool) && c.Prepared.Effect == metadata.Destroys && !c.Prepared.Asks {
			if err := c.confirmDestroy(ctx, bundles.Doomed{}); err != nil {
				return nil, err
			}
		}
		return next(ctx, c)
	}
}

// logDuration logs how long the call took to run.
func (r *Router) logDuration(next Handler) Handler {
	return func(ctx context.Context, c *Call) (any, error) {
		start := time.Now()
		out, err := next(ctx, c)
		r.log.LogAttrs(ctx, slog.LevelDebug, "call", slog.String("tool", c.Action.Tool), slog.String("effect", string(c.Prepared.Effect)),
			slog.Duration("took", time.Since(start)), slog.String("code", string(metadata.CodeOf(err))))
		return out, err
	}
}

// run has the bundle do the call.
func run(ctx context.Context, c *Call) (any, error) {
	env := *bundles.EnvOf(ctx)
	if !IsDiscoveryTool(c.Action.Tool) {
		env.Decide(bundles.Sending{May: c.confirmSend, Would: c.checkSend})
		env.Destroying, env.Changing = c.confirmDestroy, c.confirmChange
		env.Removing = bundles.Remover{Confirm: c.confirmRemoval, Shown: c.Session.markShown}
	}
	if len(c.Action.Scopes) > 0 {
		env.Scopes = c.Action.Scopes
	}
	if c.Action.Staged != nil && c.onStage != nil {
		env.OnStage = func(schema *metadata.Schema) { c.onStage(c.Action.Tool, schema) }
	}
	return c.Prepared.Do(env.Work(ctx))
}
