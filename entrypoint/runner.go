package entrypoint

import (
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
		return nil, noRead(action, action.Effect)
	}
	reached(ctx, action)
	call, err := action.Prepare(args)
	if err != nil {
		return nil, unread(action, err)
	}
	if call.Effect != metadata.Reads {
		return nil, noRead(action, call.Effect)
	}
	return r.perform(ctx, action, call)
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
		return asked, nil
	}
	if asked.action, err = r.inner(bundle, action); err != nil {
		return request{}, err
	}
	asked.repaired = append(asked.repaired, readAs(asked.action))
	return asked, nil
}

// noRead is the answer of kota_read to a call that does more than read.
func noRead(a bundles.Action, effect metadata.Effect) error {
	return metadata.Errorf(metadata.Refused, "%s %s: kota_read runs actions that only read", a.Tool, effect).
		WithHint("Call %s directly or through kota_entry_point.", a.Tool)
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
