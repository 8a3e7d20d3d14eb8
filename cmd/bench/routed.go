package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"kota/entrypoint"
)

// localRouter calls actions as every channel does, but within this process.
type localRouter struct{ *entrypoint.Router }

func (r localRouter) timeCall(ctx context.Context, tool string, args object) (time.Duration, error) {
	start := time.Now()
	_, err := r.call(ctx, tool, args)
	return time.Since(start), err
}

func (r localRouter) call(ctx context.Context, tool string, args object) ([]byte, error) {
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
