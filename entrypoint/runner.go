package entrypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"kota/bundles"
	"kota/metadata"
)

// A request is what an entry point is asked to run.
type request struct {
	action   bundles.Action
	args     json.RawMessage
	repaired []string
}

// runner binds a tool that runs the actions of all bundles, or those of their
// calls that only read. The arguments of the action reach its own schema byte
// for byte.
func (r *Router) runner(about metadata.Action, readsOnly bool) bundles.Action {
	action := bundles.Bind(about, func(context.Context, runIn) (any, error) { return nil, nil })
	input := action.Input
	action.Prepare = func(args json.RawMessage) (bundles.Call, error) {
		asked, err := r.read(input, args)
		if err != nil {
			return bundles.Call{}, err
		}
		call := bundles.Call{Effect: asked.action.Effect, Reading: metadata.Reading{Args: args, Repaired: asked.repaired}}
		call.Do = func(ctx context.Context) (any, error) {
			if readsOnly {
				return r.carryOutRead(ctx, asked.action, asked.args)
			}
			return r.carryOut(ctx, asked.action, asked.args)
		}
		return call, nil
	}
	return action
}

// carryOutRead does a call that only reads. It fails closed: what runs is the
// very call that said so, once its arguments were understood.
func (r *Router) carryOutRead(ctx context.Context, action bundles.Action, args json.RawMessage) (any, error) {
	if action.Effect != metadata.Reads && !action.Graded {
		return nil, r.noRead(action, action.Effect)
	}
	reached(ctx, action)
	call, err := action.Prepare(args)
	if err != nil {
		return nil, unread(action, err)
	}
	if call.Effect != metadata.Reads {
		return nil, r.noRead(action, call.Effect)
	}
	return r.recorded(ctx, action, call)
}

// read finds out which action an entry point is to run with which arguments.
// Its own arguments are not decoded: those of the action are, by the action.
func (r *Router) read(input *metadata.Schema, args json.RawMessage) (request, error) {
	parts, err := input.Parts(args, metadata.Sends)
	if err != nil {
		return r.readOpenly(args, err)
	}
	bundle, action := parts.Text("bundle"), parts.Text("action")
	asked := request{args: parts.JSON("args"), repaired: parts.Repaired}
	if exact, ok := r.exactly(bundle, action); ok {
		asked.action = exact
		return r.unnested(input, asked), nil
	}
	found, err := r.inner(bundle, action)
	if err != nil {
		return request{}, err
	}
	if asked.action, err = found.with(asked.args); err != nil {
		return request{}, err
	}
	asked.repaired = append(asked.repaired, readAs(asked.action))
	return asked, nil
}

// unnested takes a request out of the arguments of a request that say the same
// as it: bundle, action and args twice.
func (r *Router) unnested(input *metadata.Schema, asked request) request {
	if !bytes.Contains(asked.args, []byte(`"action"`)) || asked.action.Input.Takes("action") || asked.action.Input.Takes("bundle") {
		return asked
	}
	parts, err := input.Parts(asked.args, metadata.Sends)
	if err != nil {
		return asked
	}
	inside, ok := r.exactly(parts.Text("bundle"), parts.Text("action"))
	if !ok || inside.Tool != asked.action.Tool {
		return asked
	}
	asked.args = parts.JSON("args")
	asked.repaired = append(asked.repaired, "the request taken out of its arguments")
	return asked
}

// noRead is the answer of kota_read to a call that does more than read. Where the
// profile would not let it run by another door either, it says so at once.
func (r *Router) noRead(a bundles.Action, effect metadata.Effect) error {
	if !r.policy.permits(effect) {
		return r.policy.forbidden(a.Action, effect)
	}
	instead := ""
	switch {
	case a.Graded && hasParam(a.Action, "dry_run"):
		instead = "With dry_run true it only reads. "
	case a.Graded:
		instead = "With other arguments it may only read. "
	}
	return metadata.Errorf(metadata.Refused, "this call of %s %s: kota_read runs what only reads", a.Tool, effect).
		WithHint("%sCall %s directly or through kota_entry_point.", instead, a.Tool)
}

// unread is its answer to arguments that do not fit. Where they decide whether
// the call reads, one that cannot be read is no read.
func unread(a bundles.Action, err error) error {
	misfit := (*metadata.Error)(nil)
	if a.Effect == metadata.Reads || !errors.As(err, &misfit) {
		return err
	}
	refused := *misfit
	refused.Code = metadata.Refused
	refused.Message = fmt.Sprintf("%s %s unless its arguments say otherwise: %s", a.Tool, a.Effect, misfit.Message)
	return &refused
}
