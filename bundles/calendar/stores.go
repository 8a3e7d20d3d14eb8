package calendar

import (
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/internal/persist"
)

// What the bundle needs of the store.
type (
	Stores      = agenda.Stores
	Limiter     = agenda.Limiter
	OutboxStore = persist.OutboxStore
	UndoStore   = persist.UndoStore
	NameStore   = persist.NameStore
)
