package store

import (
	"encoding/json"
	"errors"
	"time"
)

// An OutboxStatus says how far the delivery of an item has come.
type OutboxStatus string

const (
	OutboxPending   OutboxStatus = "pending" // no request to send it was made
	OutboxSending   OutboxStatus = "sending" // a request to send it may have been made
	OutboxSent      OutboxStatus = "sent"    // the mail provider has accepted it
	OutboxSaved     OutboxStatus = "saved"   // it was saved as a draft, as requested
	OutboxUnknown   OutboxStatus = "unknown" // it may or may not have been sent
	OutboxFailed    OutboxStatus = "failed"  // it was certainly not sent
	OutboxCancelled OutboxStatus = "dropped" // the user cancelled it
)

// An OutboxItem is a mail or an invitation that must not be sent twice, and its state.
type OutboxItem struct {
	ID           string // set by ClaimOrCreate
	Account      string // the mailbox that sends it
	Key          string // the caller's idempotency key, or ""
	Digest       string // digest of the request
	ContentKey   string // digest of the parts of the request that stay the same if it is repeated; "": ClaimOrCreate uses Digest
	Kind         string // shown to the user: "reply"
	Summary      json.RawMessage
	Raw          []byte // only set for ClaimOrCreate; outbox.Store.Raw reads it
	TargetThread string // the thread to send it in; "" for a new one

	SaveOnly bool // save it as a draft, and do not send it

	Draft     string // id of the draft that is sent; "" before it exists
	OwnsDraft bool   // the draft was created for this item, and is deleted with it
	ThreadID  string // id of the thread of the draft, and later of the message; "" while unknown
	Message   string // id of the sent message
	Status    OutboxStatus
	Error     string // why it failed, or why its outcome is unknown
	Tries     int    // number of requests to send it that may have succeeded

	Created, Updated time.Time
	Lease            time.Time // until this time, by the database's clock, only the holder may work on the item; set when the item is read

	New      bool // this call of ClaimOrCreate created it
	Orphaned bool // this call of ClaimOrCreate or Acquire found that the holder's process had ended before the lease expired

	LeaseToken string // identifies the holder; used only by the store
	Leased     bool   // the lease had not expired when the item was read, claimed or saved
	HolderGone bool   // the holder's process had certainly ended when the item was read
}

// Done reports whether the item needs no more work.
func (item *OutboxItem) Done() bool {
	return item.Status == OutboxSent || item.Status == OutboxSaved || item.Status == OutboxCancelled
}

// Matches reports whether the item was created for the request in want. Another request may have
// used the same key.
func (item *OutboxItem) Matches(want OutboxItem) bool {
	return want.Key == "" || item.Digest == want.Digest
}

// Held reports whether only the holder may work on the item. The lease ends early if the process
// of the holder ended while it worked on the item. Held says what was true when the item was read.
func (item *OutboxItem) Held() bool { return item.Leased && !item.orphaned() }

// inProgress reports whether the item is in a state in which its holder works on it.
func (item *OutboxItem) inProgress() bool {
	return item.Status == OutboxPending || item.Status == OutboxSending
}

// orphaned reports whether the holder's process ended while it worked on the item. An item with
// an unknown outcome stays leased even then.
func (item *OutboxItem) orphaned() bool { return item.inProgress() && item.HolderGone }

// Interrupted reports whether a holder stopped while it worked on the item: the lease expired, or
// the process ended.
func (item *OutboxItem) Interrupted() bool { return item.inProgress() && !item.Held() }

// ErrNotHeld says that another caller has taken over the item, or that no work on the item is
// allowed.
var ErrNotHeld = errors.New("another process is working on it, or it is finished")
