package entrypoint

import (
	"context"
	"encoding/json"
	"errors"
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

// chain returns the steps as one handler that ends with last.
func chain(steps []Middleware, last Handler) Handler {
	for i := len(steps) - 1; i >= 0; i-- {
		last = steps[i](last)
	}
	return last
}

// Unchanged is the Middleware that does nothing.
func Unchanged(next Handler) Handler { return next }

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
	return chain(r.around, func(ctx context.Context, _ *Call) (any, error) { return do(ctx) })(ctx, c)
}

// JoinSession makes the call part of its session, which begins with the first one,
// and puts its Env into the context: what later steps write into it counts.
func JoinSession(now func() time.Time) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (any, error) {
			if c.Progress != nil {
				c.Env.OnProgress = c.Progress
			}
			if !c.nested {
				c.Session.begin(now())
			}
			return next(c.Env.In(ctx), c)
		}
	}
}

// An Adviser rewords a message or a hint for those whom the router serves: what it
// tells them to run may need more words where they are not the only one. It may be
// given what it has returned.
type Adviser interface {
	Advise(text string) string
}

// Advise has errors reworded.
func Advise(a Adviser) Middleware {
	if a == nil {
		return Unchanged
	}
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (any, error) {
			out, err := next(ctx, c)
			if e := (*metadata.Error)(nil); errors.As(err, &e) {
				return nil, e.Advised(a.Advise)
			}
			return out, err
		}
	}
}

// ReportErrors turns whatever goes wrong, a panic included, into an error with a
// code. Faults of KOTA's are logged here, once.
func ReportErrors(log *slog.Logger) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (out any, err error) {
			what := c.Action.Tool
			defer func() {
				if p := recover(); p != nil {
					out, err = nil, panicked(p)
				}
				if err != nil {
					out, err = nil, Report(log, what, err)
				}
			}()
			return next(ctx, c)
		}
	}
}

// Decode finds out what an entry point is to run, and checks and repairs the
// arguments of the action. All that follows, the user included, sees them as they
// were understood.
func Decode(find Discovery, profile Profile) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (any, error) {
			c.reach(c.Action.Tool)
			args, readsOnly := c.Args, c.Action.Tool == ReadTool
			if isEntryPoint(c.Action.Tool) {
				target, err := find.Target(c.Action.Input, args)
				if err != nil {
					return nil, err
				}
				c.NoteRepairs(c.Action.Tool, target.Repaired)
				c.Action, args = target.Action, target.Args
				if readsOnly && c.Action.Effect != metadata.Reads && !c.Action.Graded {
					return nil, noRead(profile, c.Action, c.Action.Effect)
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
				return nil, noRead(profile, c.Action, prepared.Effect)
			}
			c.Prepared = prepared
			c.NoteRepairs(c.Action.Tool, prepared.Repaired)
			if c.Action.Deprecated != "" {
				c.Note = fmt.Sprintf("%s is deprecated. Instead: %s", c.Action.Tool, c.Action.Deprecated)
			}
			return next(ctx, c)
		}
	}
}

// LogDuration logs how long the call took to run.
func LogDuration(log *slog.Logger) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (any, error) {
			start := time.Now()
			out, err := next(ctx, c)
			log.LogAttrs(ctx, slog.LevelDebug, "call", slog.String("tool", c.Action.Tool), slog.String("effect", string(c.Prepared.Effect)),
				slog.Duration("took", time.Since(start)), slog.String("code", string(metadata.CodeOf(err))))
			return out, err
		}
	}
}

// run has the bundle do the call. The Env is a copy: what an earlier attempt has
// left running sees its own.
func run(ctx context.Context, c *Call) (any, error) {
	env := c.Env
	if len(c.Action.Scopes) > 0 {
		env.Scopes = c.Action.Scopes
	}
	if c.Action.Staged != nil && c.onStage != nil {
		env.OnStage = func(schema *metadata.Schema) { c.onStage(c.Action.Tool, schema) }
	}
	return c.Prepared.Do(env.Work(ctx))
}
