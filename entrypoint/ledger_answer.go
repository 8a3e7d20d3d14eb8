package entrypoint

import (
	"context"
	"encoding/json"
	"fmt"

	"kota/bundles"
	"kota/metadata"
)

// A use is what becomes known of a call while it runs: which action it is of,
// and by which door that was reached.
type use struct {
	tool string // "" until one is found
	door Door
}

type useKey struct{}

// reached notes that the call whose context it is has come to the action: to a
// tool, or through one of KOTA's to another. What an action calls by itself, as
// a briefing does at the same time, is no use of it by anybody.
func reached(ctx context.Context, action bundles.Action) {
	u, ok := ctx.Value(useKey{}).(*use)
	if !ok || u.tool != "" && !IsDiscoveryTool(u.tool) {
		return
	}
	switch u.tool {
	case EntryPointTool:
		u.door = ByEntryPoint
	case ReadTool:
		u.door = ByRead
	}
	u.tool = action.Tool
}

// shows is the door by which the actions that a use has shown were come upon.
func (u *use) shows() Door {
	if u.tool == ToolsKey+"_describe_bundle" {
		return ByDescribe
	}
	return ByDiscover
}

// Answer is Call for what comes by a door: it returns what Call returns, and
// its JSON, and enters the call in the ledger. Every error is a
// *metadata.Error.
func (r *Router) Answer(ctx context.Context, door Door, tool string, args json.RawMessage) (out any, text []byte, err error) {
	u := &use{door: door}
	out, err = r.Call(context.WithValue(ctx, useKey{}, u), tool, args)
	if err == nil {
		text, err = r.render(u.tool, out)
	}
	if err != nil {
		r.ledger.count(u, nil, metadata.CodeOf(err), metadata.Tokens(args), metadata.Tokens(ErrorText(err)))
		return nil, nil, err
	}
	r.ledger.count(u, shown(out), "", metadata.Tokens(args), metadata.Tokens(text))
	return out, text, nil
}

// maxAnswer is how many bytes an answer may have: as many as a message.
const maxAnswer = 4 << 20

func (r *Router) render(tool string, out any) ([]byte, error) {
	text, err := metadata.Plain(out)
	if err != nil {
		return nil, reported(r.log, tool, classify(fmt.Errorf("render an answer: %w", err)))
	}
	if len(text) > maxAnswer {
		return nil, metadata.Errorf(metadata.TooLarge, "the answer has %d MiB, and %d are the most", len(text)>>20, maxAnswer>>20).
			WithHint("Ask for less: fewer items, or without their content. What was to be done is done.")
	}
	if a := r.tools[tool]; a.Output != nil && r.noUndo[a.Action.BundleKey()] {
		text = a.Output.Only(text)
	}
	return bundles.CleanJSON(text), nil
}

// ErrorText is the JSON of an error as doors show it.
func ErrorText(err error) []byte {
	text, marshalErr := metadata.Plain(classify(err))
	if marshalErr != nil {
		return []byte(`{"error":"INTERNAL","message":"the error could not be shown","retryable":false}`)
	}
	return text
}

// shown returns the actions that an answer of the discovery tools is about.
func shown(out any) []string {
	if found, ok := out.(interface{ ShownTools() []string }); ok {
		return found.ShownTools()
	}
	return nil
}
