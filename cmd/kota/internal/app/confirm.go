package app

import (
	"context"

	"kota/entrypoint"
	"kota/entrypoint/approval"
	"kota/metadata"
)

// confirm returns a function that asks on the terminal before a call that
// cannot be undone or that reaches other people. It returns nil without a
// terminal.
func (a *App) confirm() func(context.Context, entrypoint.Request) error {
	if !a.CanAsk() {
		return nil
	}
	return func(ctx context.Context, request entrypoint.Request) error {
		if !a.Confirm(ctx, approval.TextOf(request).Text) {
			return metadata.Errorf(metadata.Refused, "%s was not confirmed: nothing was done", request.Action.Tool)
		}
		return nil
	}
}
