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

// A Handler carries out a call, or the remaining steps of it.
type Handler func(ctx context.Context, c *Call) (any, error)

// A Middleware is one step of every call: it does its own part and calls next for
// the rest.
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

// Call finds the action with that tool name, checks args against its schema, asks the
// policy and runs it. It accepts an inexact name that can mean only one tool: see
// Discovery.Find. The returned value marshals to a JSON object. Every error is a
// *metadata.Error.
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

// runBundleWork runs work of a bundle that is not a call, such as reading a resource, with
// the shared steps. The parameter what names the work in the log.
func (r *Router) runBundleWork(ctx context.Context, what string, do func(context.Context) (any, error)) (any, error) {
	c := &Call{Tool: what, Action: bundles.Action{Action: metadata.Action{Tool: what, Effect: metadata.Reads}}}
	c.begin(ctx, r)
	return chain(r.sharedSteps, func(ctx context.Context, _ *Call) (any, error) { return do(ctx) })(ctx, c)
}

// JoinSession makes the call part of its session. A session begins with its first call.
// JoinSession puts the call's Env into the context; later steps may still change the Env.
func JoinSession(now func() time.Time) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (any, error) {
			if c.Progress != nil {
				c.Env.OnProgress = c.Progress
			}
			if !c.nested {
				c.Session.begin(now())
			}
			return next(c.Env.NewContext(ctx), c)
		}
	}
}

// FindPeople lets bundles find people by name.
func FindPeople(find func(ctx context.Context, name string) (bundles.People, error)) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (any, error) {
			c.Env.FindPeople = find
			return next(ctx, c)
		}
	}
}

// An Adviser rewords messages and hints for the users of the router. For example, on a server
// for several people it adds the person's name to the commands in these texts. Advise may get
// a text that it has already reworded.
type Adviser interface {
	Advise(text string) string
}

// Advise rewords the errors of calls. A nil Adviser changes nothing.
func Advise(a Adviser) Middleware {
	if a == nil {
		return Unchanged
	}
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (any, error) {
			out, err := next(ctx, c)
			if e := (*metadata.Error)(nil); errors.As(err, &e) {
				return nil, e.WithAdvice(a.Advise)
			}
			return out, err
		}
	}
}

// ReportErrors turns every failure, including a panic, into an error with a code. It
// logs internal errors once.
func ReportErrors(log *slog.Logger) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (out any, err error) {
			what := c.Action.Tool
			defer func() {
				if p := recover(); p != nil {
					out, err = nil, panicError(p)
				}
				if err != nil {
					out, err = nil, Report(log, what, err)
				}
			}()
			return next(ctx, c)
		}
	}
}

// Decode resolves the target of an entry point. Then it checks and repairs the arguments
// of the action. All later steps, and the user, see the repaired arguments.
func Decode(find Discovery, profile Profile) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (any, error) {
			c.setReachedTool(c.Action.Tool)
			args, readsOnly := c.Args, c.Action.Tool == ReadTool
			if isEntryPoint(c.Action.Tool) {
				target, err := find.Target(c.Action.Input, args)
				if err != nil {
					return nil, err
				}
				c.NoteRepairs(c.Action.Tool, target.Repaired)
				c.Action, args = target.Action, target.Args
				if readsOnly && c.Action.Effect != metadata.Reads && !c.Action.EffectVaries {
					return nil, notReadError(profile, c.Action, c.Action.Effect)
				}
				c.setReachedTool(c.Action.Tool)
			}
			prepared, err := c.Action.Prepare(args)
			switch {
			case err != nil && readsOnly:
				return nil, invalidReadError(c.Action, err)
			case err != nil:
				return nil, err
			case readsOnly && prepared.Effect != metadata.Reads:
				return nil, notReadError(profile, c.Action, prepared.Effect)
			}
			c.Prepared = prepared
			c.NoteRepairs(c.Action.Tool, prepared.Repaired)
			if c.Action.Deprecated != "" {
				c.Note = fmt.Sprintf("%s is deprecated. Use instead: %s", c.Action.Tool, c.Action.Deprecated)
			}
			return next(ctx, c)
		}
	}
}

// LogDuration logs how long the call took.
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

// run calls the bundle. It passes a copy of the Env, because an earlier attempt of the
// call may still be running with the Env.
func run(ctx context.Context, c *Call) (any, error) {
	env := c.Env
	if len(c.Action.Scopes) > 0 {
		env.Scopes = c.Action.Scopes
	}
	if c.Action.Staged != nil && c.onStage != nil {
		env.OnStage = func(schema *metadata.Schema) { c.onStage(c.Action.Tool, schema) }
	}
	return c.Prepared.Do(env.NewCallContext(ctx))
}
