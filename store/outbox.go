package store

import (
	"encoding/json"
	"errors"
	"time"
)

// A OutboxStatus says how far the sending of a letter has come.
type OutboxStatus string

const (
	OutboxPending   OutboxStatus = "pending" // nothing that sends it has left
	OutboxSending   OutboxStatus = "sending" // the request to send it may have left
	OutboxSent      OutboxStatus = "sent"    // the mail provider has accepted it
	OutboxSaved     OutboxStatus = "saved"   // it was to be a draft, and is one
	OutboxUnknown   OutboxStatus = "unknown" // it may or may not have been sent
	OutboxFailed    OutboxStatus = "failed"  // it was certainly not sent
	OutboxCancelled OutboxStatus = "dropped" // the user gave it up
)

// A OutboxItem is a mail or an invitation to be sent once, and what became of that.
type OutboxItem struct {
	ID         string // made by ClaimOrCreate
	Account    string // whose mailbox it leaves from
	Key        string // the caller's idempotency key, or ""
	Digest     string // of what is asked
	ContentKey string // of the same without what has come meanwhile; ClaimOrCreate puts the digest for ""
	Kind       string // for people: "reply"
	Summary    json.RawMessage
	Raw        []byte // given to ClaimOrCreate; read with Outbox.Raw
	Thread     string // to send it in; "" for a new one

	SaveOnly bool // it is to be a draft, and not sent

	Draft   string // that is sent; "" before there is one
	Own     bool   // the draft is made for the letter, and goes with it
	Placed  string // the thread that the draft, then the message, is in; "" while unknown
	Message string // id of the sent message
	Status  OutboxStatus
	Error   string // why it failed or is unknown
	Tries   int    // requests to send it that may have been carried out

	Created, Updated time.Time
	Lease            time.Time // until when nobody but its holder may work on it, by the system's clock

	New      bool // this ClaimOrCreate has made it
	Orphaned bool // who held it ended, which this ClaimOrCreate or Acquire found before the lease ran out

	LeaseToken string // names who holds it; for the store alone
	HolderGone bool   // when it was read, the process that holds it had certainly ended
}

// Done reports whether nothing more is to be done for the letter.
func (l *OutboxItem) Done() bool {
	return l.Status == OutboxSent || l.Status == OutboxSaved || l.Status == OutboxCancelled
}

// Is reports whether the letter is the one that want asks for: under a key there
// may be another.
func (l *OutboxItem) Is(want OutboxItem) bool { return want.Key == "" || l.Digest == want.Digest }

// Held reports whether somebody works on the letter, or must not yet. A process
// that has certainly ended works on nothing.
func (l *OutboxItem) Held() bool { return l.leased() && !l.orphaned() }

func (l *OutboxItem) leased() bool { return time.Now().Before(l.Lease) }

// working reports whether the letter is at a stage that its holder goes on from.
func (l *OutboxItem) working() bool { return l.Status == OutboxPending || l.Status == OutboxSending }

// orphaned reports whether the holder ended while it worked on the letter. A
// letter whose outcome is unknown is held for some time whoever lives.
func (l *OutboxItem) orphaned() bool { return l.working() && l.HolderGone }

// OwnerGone reports whether somebody was working on the letter who does not any
// more: the lease has run out, or the process has ended.
func (l *OutboxItem) OwnerGone() bool { return l.working() && !l.Held() }

// ErrNotHeld: another process has taken the letter over, because the lease ran
// out, or it may not be worked on.
var ErrNotHeld = errors.New("another process works on it")
