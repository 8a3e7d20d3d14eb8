// Package outbox resolves what the user asked to send and what may not have been sent. The
// command line and the console use it. Begin with Retry and Drop.
package outbox

import (
	"context"
	"slices"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/entrypoint"
	"kota/metadata"
)

// List returns the items of the outbox, the last changed first.
func List(ctx context.Context, a *app.App) ([]bundles.OutboxItem, error) {
	items, err := a.Outbox().List(ctx)
	for i := range items {
		items[i] = a.AdviseItem(items[i])
	}
	return items, err
}

// Show returns an item with its text.
func Show(ctx context.Context, a *app.App, id string) (bundles.OutboxItem, error) {
	item, err := a.Outbox().Show(ctx, id)
	return a.AdviseItem(item), err
}

// Retry finds out whether an item was sent, and sends it if it certainly was not. The user asked
// for it by the channel.
func Retry(ctx context.Context, a *app.App, by entrypoint.Channel, id string) (bundles.OutboxItem, error) {
	all, policy := a.Outbox(), a.Policy()
	item, err := all.Show(ctx, id)
	if refused := policy.PermitCommand("kota outbox retry", item.Bundle, item.Addresses); refused != nil {
		return item, refused
	}
	if err != nil {
		return item, err
	}
	err = a.RecordCommandBy(ctx, by, "kota outbox retry", metadata.Sends, func(ctx context.Context) (err error) {
		permit := func(out bundles.Outgoing) error {
			if err := policy.PermitCommand("kota outbox retry", item.Bundle, slices.Concat(out.People, out.ReplyTo)); err != nil {
				return err
			}
			return a.Limit(ctx, metadata.Sends, 1)
		}
		item, err = all.Retry(bundles.WithUserConsent(ctx, permit), id)
		return err
	})
	return item, err
}

// Drop cancels an item that is not known to be sent. The user asked for it by the channel.
func Drop(ctx context.Context, a *app.App, by entrypoint.Channel, id string) (item bundles.OutboxItem, err error) {
	if err := a.Policy().Permit("kota outbox drop", metadata.Writes); err != nil {
		return item, err
	}
	err = a.RecordCommandBy(ctx, by, "kota outbox drop", metadata.Writes, func(ctx context.Context) (err error) {
		item, err = a.Outbox().Drop(ctx, id)
		return err
	})
	return item, err
}
