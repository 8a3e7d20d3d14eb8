package mailbox

import (
	"context"

	"kota/bundles/internal/persist"
	"kota/store"
)

// Stores are what mailboxes need of the store, each of their tenant. They are asked
// for on each call.
type Stores struct {
	Outbox func(context.Context) (persist.OutboxStore, error)
	Undos  func(context.Context) (persist.UndoStore, error)
	Names  func(context.Context) (persist.NameStore, error)
	Cache  func(ctx context.Context, address string) (Cache, error) // of the mailbox of that address
}

// A Cache keeps the headers of the messages of one mailbox.
type Cache interface {
	History(ctx context.Context) (uint64, error)
	Heads(ctx context.Context, ids []string) (map[string]*store.MailHead, uint64, error)
	Update(ctx context.Context, u store.MailUpdate) error
	Forget(ctx context.Context) error
}
