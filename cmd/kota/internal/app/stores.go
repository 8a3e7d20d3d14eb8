package app

import (
	"context"

	"kota/bundles/calendar"
	"kota/bundles/contacts"
	"kota/bundles/daily"
	"kota/bundles/gmail"
	"kota/bundles/memory"
	"kota/metadata"
	"kota/store/engine"
	"kota/store/tables/approvals"
	contactstore "kota/store/tables/contacts"
	"kota/store/tables/diary"
	"kota/store/tables/index"
	"kota/store/tables/mailcache"
	memorystore "kota/store/tables/memory"
	"kota/store/tables/names"
	"kota/store/tables/outbox"
	"kota/store/tables/stages"
	"kota/store/tables/undo"
)

// openPart returns a function that opens the database and returns the store
// that newPart makes of it.
func openPart[T any](a *App, newPart func(engine.DB) T) func(context.Context) (T, error) {
	return func(ctx context.Context) (part T, err error) {
		db, err := a.OpenDB(ctx)
		if err != nil {
			return part, err
		}
		return newPart(db), nil
	}
}

// mailStores returns the stores of the gmail bundle.
func (a *App) mailStores() gmail.Stores {
	return gmail.Stores{
		Outbox: openPart(a, func(db engine.DB) gmail.OutboxStore { return a.countOutbox(outbox.New(db, Owner, "gmail"), "gmail") }),
		Undos:  openPart(a, func(db engine.DB) gmail.UndoStore { return undo.New(db, Owner, "gmail") }),
		Names:  openPart(a, func(db engine.DB) gmail.NameStore { return names.New(db, Owner) }),
		Cache: func(ctx context.Context, address string) (gmail.MailCache, error) {
			return openPart(a, func(db engine.DB) gmail.MailCache { return mailcache.New(db, Owner, address) })(ctx)
		},
	}
}

// calendarStores returns the stores of the calendar bundle.
func (a *App) calendarStores() calendar.Stores {
	return calendar.Stores{
		Outbox: openPart(a, func(db engine.DB) calendar.OutboxStore {
			return a.countOutbox(outbox.New(db, Owner, "calendar"), "calendar")
		}),
		Undos:  openPart(a, func(db engine.DB) calendar.UndoStore { return undo.New(db, Owner, "calendar") }),
		Names:  openPart(a, func(db engine.DB) calendar.NameStore { return names.New(db, Owner) }),
		Limits: openPart(a, func(db engine.DB) calendar.Limiter { return approvals.NewLimits(db, Owner) }),
	}
}

// contactCopies returns the copies of the people of an account.
func (a *App) contactCopies(ctx context.Context, account string) (contacts.Copies, error) {
	return openPart(a, func(db engine.DB) contacts.Copies { return contactstore.New(db, Owner, account) })(ctx)
}

// Memories returns the memories of the owner who is served.
func (a *App) Memories(ctx context.Context) (memory.Memories, error) {
	return openPart(a, func(db engine.DB) memory.Memories { return memorystore.New(db, Owner) })(ctx)
}

// diary returns the diary of the owner who is served.
func (a *App) diary(ctx context.Context) (daily.Diary, error) {
	return openPart(a, func(db engine.DB) daily.Diary { return diary.New(db, Owner) })(ctx)
}

// stageStore returns the stages of the owner who is served.
func (a *App) stageStore(ctx context.Context) (daily.StageStore, error) {
	return openPart(a, func(db engine.DB) daily.StageStore { return stages.New(db, Owner) })(ctx)
}

// Indexes returns the search indexes of a database.
func Indexes() []index.Index { return append(memorystore.Indexes(), diary.Indexes()...) }

// RebuildIndex rebuilds the search index from the tables. It calls step with the numbers of done and
// total rows.
func (a *App) RebuildIndex(ctx context.Context, step func(done, total int)) error {
	if err := a.Policy().Permit("kota doctor --reindex", metadata.Writes); err != nil {
		return err
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return err
	}
	return index.Rebuild(ctx, db, step, Indexes()...)
}
