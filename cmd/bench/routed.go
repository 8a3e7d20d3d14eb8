package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"kota/entrypoint"
)

// routed calls actions as every channel does, but within this process.
type routed struct{ *entrypoint.Router }

func (r routed) timed(ctx context.Context, tool string, args object) (time.Duration, error) {
	start := time.Now()
	_, err := r.call(ctx, tool, args)
	return time.Since(start), err
}

func (r routed) call(ctx context.Context, tool string, args object) ([]byte, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	answer, err := r.Call(ctx, tool, raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tool, err)
	}
	return json.Marshal(answer)
}
