package main

import (
	"context"

	"kota/bundles/calendar"
	"kota/bundles/gmail"
	"kota/bundles/memory"
	"kota/store/sqlite"
	"kota/store/tables/approvals"
	"kota/store/tables/mailcache"
	memorystore "kota/store/tables/memory"
	"kota/store/tables/names"
	"kota/store/tables/outbox"
	"kota/store/tables/undo"
)

func memoryOpener(db *sqlite.DB) func(context.Context) (memory.Memories, error) {
	return func(context.Context) (memory.Memories, error) { return memorystore.New(db, owner), nil }
}

func mailStores(db *sqlite.DB) gmail.Stores {
	return gmail.Stores{
		Outbox: func(context.Context) (gmail.OutboxStore, error) { return outbox.New(db, owner, "gmail"), nil },
		Undos:  func(context.Context) (gmail.UndoStore, error) { return undo.New(db, owner, "gmail"), nil },
		Names:  func(context.Context) (gmail.NameStore, error) { return names.New(db, owner), nil },
		Cache: func(_ context.Context, address string) (gmail.MailCache, error) {
			return mailcache.New(db, owner, address), nil
		},
	}
}

func calendarStores(db *sqlite.DB) calendar.Stores {
	return calendar.Stores{
		Outbox: func(context.Context) (calendar.OutboxStore, error) {
			return outbox.New(db, owner, "calendar"), nil
		},
		Undos:  func(context.Context) (calendar.UndoStore, error) { return undo.New(db, owner, "calendar"), nil },
		Names:  func(context.Context) (calendar.NameStore, error) { return names.New(db, owner), nil },
		Limits: func(context.Context) (calendar.Limiter, error) { return approvals.NewLimits(db, owner), nil },
	}
}
