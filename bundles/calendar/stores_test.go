package calendar

import (
	"context"

	"kota/bundles/calendar/internal/agenda"
	"kota/store/sqlite"
	"kota/store/tables/approvals"
	"kota/store/tables/names"
	"kota/store/tables/outbox"
	"kota/store/tables/undo"
)

// StoresIn returns the stores of one tenant in the database that open returns.
func StoresIn(open func(context.Context) (*sqlite.DB, error)) Stores {
	const tenant = "local"
	return Stores{
		Outbox: sqlite.OpenPart(open, func(db *sqlite.DB) OutboxStore { return outbox.New(db, tenant, agenda.BundleKey) }),
		Undos:  sqlite.OpenPart(open, func(db *sqlite.DB) UndoStore { return undo.New(db, tenant, agenda.BundleKey) }),
		Names:  sqlite.OpenPart(open, func(db *sqlite.DB) NameStore { return names.New(db, tenant) }),
		Limits: sqlite.OpenPart(open, func(db *sqlite.DB) Limiter { return approvals.NewLimits(db, tenant) }),
	}
}
