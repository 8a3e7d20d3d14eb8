package main

import (
	"context"

	"kota/bundles/calendar"
	"kota/bundles/gmail"
	"kota/bundles/memory"
	"kota/store/sqlite"
)

func memoriesOf(db *sqlite.DB) func(context.Context) (memory.Memories, error) {
	return func(context.Context) (memory.Memories, error) { return sqlite.NewMemories(db, owner), nil }
}

func mailStores(db *sqlite.DB) gmail.Stores {
	return gmail.Stores{
		Outbox: func(context.Context) (gmail.OutboxStore, error) { return db.Outbox(owner, "gmail"), nil },
		Undos:  func(context.Context) (gmail.UndoStore, error) { return db.Undos(owner, "gmail"), nil },
		Names:  func(context.Context) (gmail.NameStore, error) { return db.Names(owner), nil },
		Cache:  func(_ context.Context, address string) (gmail.MailCache, error) { return db.Mail(owner, address), nil },
	}
}

func calendarStores(db *sqlite.DB) calendar.Stores {
	return calendar.Stores{
		Outbox: func(context.Context) (calendar.OutboxStore, error) { return db.Outbox(owner, "calendar"), nil },
		Undos:  func(context.Context) (calendar.UndoStore, error) { return db.Undos(owner, "calendar"), nil },
		Names:  func(context.Context) (calendar.NameStore, error) { return db.Names(owner), nil },
		Limits: func(context.Context) (calendar.Limiter, error) { return db.Limits(owner), nil },
	}
}
