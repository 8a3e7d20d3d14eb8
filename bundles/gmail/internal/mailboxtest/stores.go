// Package mailboxtest provides the stores of one tenant in a real database, for tests of
// mail.
package mailboxtest

import (
	"context"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/persist"
	"kota/store/enginetest"
	"kota/store/tables/mailcache"
	"kota/store/tables/names"
	"kota/store/tables/outbox"
	"kota/store/tables/undo"
)

// Tenant is the tenant that owns the mail.
const Tenant = "local"

// Stores returns the tenant's stores in the database that openDB returns.
func Stores(openDB func(context.Context) (enginetest.Database, error)) mailbox.Stores {
	return mailbox.Stores{
		Outbox: enginetest.Part(openDB, func(db enginetest.Database) persist.OutboxStore { return outbox.New(db, Tenant, mailbox.BundleKey) }),
		Undos:  enginetest.Part(openDB, func(db enginetest.Database) persist.UndoStore { return undo.New(db, Tenant, mailbox.BundleKey) }),
		Names:  enginetest.Part(openDB, func(db enginetest.Database) persist.NameStore { return names.New(db, Tenant) }),
		Cache: func(ctx context.Context, address string) (mailbox.Cache, error) {
			return enginetest.Part(openDB, func(db enginetest.Database) mailbox.Cache { return mailcache.New(db, Tenant, address) })(ctx)
		},
	}
}

// StoresIn returns the tenant's stores in db.
func StoresIn(db enginetest.Database) mailbox.Stores {
	return Stores(func(context.Context) (enginetest.Database, error) { return db, nil })
}
