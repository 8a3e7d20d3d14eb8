// Package mailboxtest provides the stores of one tenant in a real database, for tests of
// mail.
package mailboxtest

import (
	"context"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/persist"
	"kota/store/sqlite"
	"kota/store/tables/mailcache"
	"kota/store/tables/names"
	"kota/store/tables/outbox"
	"kota/store/tables/undo"
)

// Tenant is the tenant that owns the mail.
const Tenant = "local"

// Stores returns the tenant's stores in the database that openDB returns.
func Stores(openDB func(context.Context) (*sqlite.DB, error)) mailbox.Stores {
	return mailbox.Stores{
		Outbox: sqlite.OpenPart(openDB, func(db *sqlite.DB) persist.OutboxStore { return outbox.New(db, Tenant, mailbox.BundleKey) }),
		Undos:  sqlite.OpenPart(openDB, func(db *sqlite.DB) persist.UndoStore { return undo.New(db, Tenant, mailbox.BundleKey) }),
		Names:  sqlite.OpenPart(openDB, func(db *sqlite.DB) persist.NameStore { return names.New(db, Tenant) }),
		Cache: func(ctx context.Context, address string) (mailbox.Cache, error) {
			return sqlite.OpenPart(openDB, func(db *sqlite.DB) mailbox.Cache { return mailcache.New(db, Tenant, address) })(ctx)
		},
	}
}

// StoresIn returns the tenant's stores in db.
func StoresIn(db *sqlite.DB) mailbox.Stores {
	return Stores(func(context.Context) (*sqlite.DB, error) { return db, nil })
}
