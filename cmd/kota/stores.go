package main

import (
	"context"

	"kota/bundles/calendar"
	"kota/bundles/daily"
	"kota/bundles/gmail"
	"kota/bundles/memory"
	"kota/store/sqlite"
)

// part is what opens the database and hands out a part of it.
func part[T any](a *app, of func(*sqlite.DB) T) func(context.Context) (T, error) {
	return sqlite.Part(a.openDB, of)
}

// mailStores are what the gmail bundle keeps.
func (a *app) mailStores() gmail.Stores {
	return gmail.Stores{
		Outbox: part(a, func(db *sqlite.DB) gmail.OutboxStore { return db.Outbox(owner, "gmail") }),
		Undos:  part(a, func(db *sqlite.DB) gmail.UndoStore { return db.Undos(owner, "gmail") }),
		Names:  part(a, func(db *sqlite.DB) gmail.NameStore { return db.Names(owner) }),
		Cache: func(ctx context.Context, address string) (gmail.MailCache, error) {
			return part(a, func(db *sqlite.DB) gmail.MailCache { return db.Mail(owner, address) })(ctx)
		},
	}
}

// calendarStores are what the calendar bundle keeps.
func (a *app) calendarStores() calendar.Stores {
	return calendar.Stores{
		Outbox: part(a, func(db *sqlite.DB) calendar.OutboxStore { return db.Outbox(owner, "calendar") }),
		Undos:  part(a, func(db *sqlite.DB) calendar.UndoStore { return db.Undos(owner, "calendar") }),
		Names:  part(a, func(db *sqlite.DB) calendar.NameStore { return db.Names(owner) }),
		Limits: part(a, func(db *sqlite.DB) calendar.Limiter { return db.Limits(owner) }),
	}
}

// memories are those of the one who is served.
func (a *app) memories(ctx context.Context) (memory.Memories, error) {
	return part(a, func(db *sqlite.DB) memory.Memories { return db.Memories(owner) })(ctx)
}

// diary is that of the one who is served.
func (a *app) diary(ctx context.Context) (daily.Diary, error) {
	return part(a, func(db *sqlite.DB) daily.Diary { return db.Diary(owner) })(ctx)
}

// flows are those of the one who is served.
func (a *app) flows(ctx context.Context) (daily.StageStore, error) {
	return part(a, func(db *sqlite.DB) daily.StageStore { return db.Stages(owner) })(ctx)
}
