package calendar

import (
	"context"
	"time"

	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/store/sqlite"
)

// owner is whose calendar it is. One person uses a server on stdio.
const owner = "local"

// bundleKey is the key of the bundle, which its rows have as well.
const bundleKey = "calendar"

func (c *agendas) outbox(ctx context.Context) (*sqlite.Outbox, error) {
	db, err := c.DB(ctx)
	if err != nil {
		return nil, persist.Explain(err)
	}
	return db.Outbox(owner, bundleKey), nil
}

// undos is the book of the bundle's changes.
func (c *agendas) undos() persist.Undos { return book(c.DB, c.Now) }

func book(db func(context.Context) (*sqlite.DB, error), now func() time.Time) persist.Undos {
	return persist.Undos{DB: db, Owner: owner, Bundle: "calendar", Tool: "calendar_undo", Source: untrusted.Event, Now: now}
}
