package calendar

import (
	"context"

	"kota/bundles/calendar/internal/agenda"
	"kota/store/sqlite"
)

// StoresIn are the stores of one tenant in the database that open opens.
func StoresIn(open func(context.Context) (*sqlite.DB, error)) Stores {
	const tenant = "local"
	return Stores{
		Outbox: sqlite.Part(open, func(db *sqlite.DB) OutboxStore { return db.Outbox(tenant, agenda.BundleKey) }),
		Undos:  sqlite.Part(open, func(db *sqlite.DB) UndoStore { return db.Undos(tenant, agenda.BundleKey) }),
		Names:  sqlite.Part(open, func(db *sqlite.DB) NameStore { return db.Names(tenant) }),
		Limits: sqlite.Part(open, func(db *sqlite.DB) Limiter { return db.Limits(tenant) }),
	}
}
