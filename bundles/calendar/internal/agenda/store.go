package agenda

import (
	"context"
	"time"

	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/store/sqlite"
)

// Owner is whose calendar it is. One person uses a server on stdio.
const Owner = "local"

// BundleKey is the key of the bundle, which its rows have as well.
const BundleKey = "calendar"

func (c *Agendas) Outbox(ctx context.Context) (*sqlite.Outbox, error) {
	db, err := c.DB(ctx)
	if err != nil {
		return nil, persist.Explain(err)
	}
	return db.Outbox(Owner, BundleKey), nil
}

// Undos is the book of the bundle's changes.
func (c *Agendas) Undos() persist.Undos { return UndoBook(c.DB, c.Now) }

func UndoBook(db func(context.Context) (*sqlite.DB, error), now func() time.Time) persist.Undos {
	return persist.Undos{DB: db, Owner: Owner, Bundle: "calendar", Tool: "calendar_undo", Source: untrusted.Event, Now: now}
}
