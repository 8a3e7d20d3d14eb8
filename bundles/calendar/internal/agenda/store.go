package agenda

import (
	"context"
	"time"

	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// BundleKey is the key of the bundle, which its rows have as well.
const BundleKey = "calendar"

// Stores are what the bundle needs of the store, each of its tenant. They are asked
// for on each call.
type Stores struct {
	Outbox func(context.Context) (persist.OutboxStore, error)
	Undos  func(context.Context) (persist.UndoStore, error)
	Names  func(context.Context) (persist.NameStore, error)
	Limits func(context.Context) (Limiter, error)
}

// A Limiter counts what may happen so often in a stretch of time.
type Limiter interface {
	Allow(ctx context.Context, kind string, n int, limits []store.Limit) error
	Refund(ctx context.Context, kind string) error
}

// Outbox is where requests that reach people are written down before they leave.
func (c *Agendas) Outbox(ctx context.Context) (persist.OutboxStore, error) {
	box, err := c.Stores.Outbox(ctx)
	return box, persist.Explain(err)
}

// Undos is the book of the bundle's changes.
func (c *Agendas) Undos() persist.Undos { return UndoBook(c.Stores.Undos, c.Now) }

// UndoBook is the book of the bundle's changes in a store.
func UndoBook(undos func(context.Context) (persist.UndoStore, error), now func() time.Time) persist.Undos {
	return persist.Undos{Store: undos, Bundle: BundleKey, Tool: "calendar_undo", Source: untrusted.Event, Now: now}
}
