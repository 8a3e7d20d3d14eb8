package app

import (
	"context"
	"time"

	"kota/bundles/gmail"
	"kota/cmd/kota/internal/metrics"
	"kota/store"
)

// countOutbox counts the states that the items of a bundle reach, if metrics are kept.
func (a *App) countOutbox(items gmail.OutboxStore, bundle string) gmail.OutboxStore {
	if a.Metrics == nil {
		return items
	}
	return countedOutbox{items, a.Metrics, bundle}
}

// A countedOutbox counts the items of one process. The numbers of all rows would need a role that
// reads the rows of all people.
type countedOutbox struct {
	gmail.OutboxStore
	metrics *metrics.Metrics
	bundle  string
}

func (o countedOutbox) ClaimOrCreate(ctx context.Context, want store.OutboxItem, since time.Time, lease time.Duration) (store.OutboxItem, bool, error) {
	item, held, err := o.OutboxStore.ClaimOrCreate(ctx, want, since, lease)
	if err == nil && item.New {
		o.metrics.CountOutbox(o.bundle, string(item.Status))
	}
	return item, held, err
}

func (o countedOutbox) Save(ctx context.Context, item *store.OutboxItem, lease time.Duration) error {
	err := o.OutboxStore.Save(ctx, item, lease)
	if err == nil && item.Status != store.OutboxPending { // a pending item is saved several times
		o.metrics.CountOutbox(o.bundle, string(item.Status))
	}
	return err
}
