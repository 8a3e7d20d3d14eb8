package gmail

import (
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/persist"
)

// What the bundle needs of the store.
type (
	Stores      = mailbox.Stores
	MailCache   = mailbox.Cache
	OutboxStore = persist.OutboxStore
	UndoStore   = persist.UndoStore
	NameStore   = persist.NameStore
)
