package entrypoint

import (
	"context"
	"fmt"

	"kota/bundles"
	"kota/metadata"
)

// Answer carries out the call. It returns the result as a value and as the JSON that the
// caller sees. Every error is a *metadata.Error; ErrorText returns its JSON.
func (r *Router) Answer(ctx context.Context, c *Call) (out any, text []byte, err error) {
	out, err = r.answer(ctx, c)
	return out, c.Text, err
}

// callAndRender carries out the call and renders its answer as JSON.
func (r *Router) callAndRender(ctx context.Context, c *Call) (any, error) {
	out, err := r.do(ctx, c)
	if err == nil {
		c.Text, err = r.render(c.ReachedTool, out)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// maxAnswer is the maximum size of an answer in bytes. A client's message has the same limit.
const maxAnswer = 4 << 20

func (r *Router) render(tool string, out any) ([]byte, error) {
	text, err := metadata.Plain(out)
	if err != nil {
		return nil, Report(r.log, tool, fmt.Errorf("render an answer: %w", err))
	}
	if len(text) > maxAnswer {
		return nil, metadata.Errorf(metadata.TooLarge, "the answer has %s MiB; the limit is %d MiB", metadata.MiB(int64(len(text))), maxAnswer>>20).
			WithHint("The call was carried out; only its answer is too large. Read the result with fewer items, or without their content.")
	}
	if a := r.tools[tool]; a.Output != nil && r.noUndo[a.Action.BundleKey()] {
		text = a.Output.WithoutUnknown(text)
	}
	return bundles.CleanJSON(text), nil
}

// ErrorText returns the error as the JSON that the caller sees.
func ErrorText(err error) []byte {
	text, marshalErr := metadata.Plain(Classify(err))
	if marshalErr != nil {
		return []byte(`{"error":"INTERNAL","message":"the error could not be shown","retryable":false}`)
	}
	return text
}
