package entrypoint

import (
	"context"
	"fmt"

	"kota/bundles"
	"kota/metadata"
)

// Answer carries the call out. It returns what Router.Call returns, and its JSON, and
// enters the call in the ledger. Every error is a *metadata.Error.
func (r *Router) Answer(ctx context.Context, c *Call) (out any, text []byte, err error) {
	out, err = r.do(ctx, c)
	if err == nil {
		text, err = r.render(c.reached, out)
	}
	if err != nil {
		r.ledger.count(c, nil, metadata.CodeOf(err), metadata.Tokens(c.Args), metadata.Tokens(ErrorText(err)))
		return nil, nil, err
	}
	r.ledger.count(c, shown(out), "", metadata.Tokens(c.Args), metadata.Tokens(text))
	return out, text, nil
}

// shows is the channel by which the actions that a call has shown were come upon.
func (c *Call) shows() Channel {
	if c.reached == ToolsKey+"_describe_bundle" {
		return ByDescribe
	}
	return ByDiscover
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
