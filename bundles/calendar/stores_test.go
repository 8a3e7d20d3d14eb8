package calendar

import (
	"context"

	"kota/bundles/calendar/internal/agenda"
	"kota/store/enginetest"
	"kota/store/tables/approvals"
	"kota/store/tables/names"
	"kota/store/tables/outbox"
	"kota/store/tables/undo"
)

// StoresIn returns the stores of one tenant in the database that open returns.
func StoresIn(open func(context.Context) (enginetest.Database, error)) Stores {
	const tenant = "local"
	return Stores{
		Outbox: enginetest.Part(open, func(db enginetest.Database) OutboxStore { return outbox.New(db, tenant, agenda.BundleKey) }),
		Undos:  enginetest.Part(open, func(db enginetest.Database) UndoStore { return undo.New(db, tenant, agenda.BundleKey) }),
		Names:  enginetest.Part(open, func(db enginetest.Database) NameStore { return names.New(db, tenant) }),
		Limits: enginetest.Part(open, func(db enginetest.Database) Limiter { return approvals.NewLimits(db, tenant) }),
	}
}
