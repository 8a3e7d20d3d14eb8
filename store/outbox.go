package store

import (
	"encoding/json"
	"errors"
	"time"
)

// A LetterStatus says how far the sending of a letter has come.
type LetterStatus string

const (
	LetterPending LetterStatus = "pending" // nothing that sends it has left
	LetterSending LetterStatus = "sending" // the request to send it may have left
	LetterSent    LetterStatus = "sent"    // the mail provider has accepted it
	LetterSaved   LetterStatus = "saved"   // it was to be a draft, and is one
	LetterUnknown LetterStatus = "unknown" // it may or may not have been sent
	LetterFailed  LetterStatus = "failed"  // it was certainly not sent
	LetterDropped LetterStatus = "dropped" // the user gave it up
)

// A Letter is a mail or an invitation to be sent once, and what became of that.
type Letter struct {
	ID      string // made by Take
	Account string // whose mailbox it leaves from
	Key     string // the caller's idempotency key, or ""
	Digest  string // of what is asked
	Gist    string // of the same without what has come meanwhile; Take puts the digest for ""
	Kind    string // for people: "reply"
	Summary json.RawMessage
	Raw     []byte // given to Take; read with Outbox.Raw
	Thread  string // to send it in; "" for a new one

	SaveOnly bool // it is to be a draft, and not sent

	Draft   string // that is sent; "" before there is one
	Own     bool   // the draft is made for the letter, and goes with it
	Placed  string // the thread that the draft, then the message, is in; "" while unknown
	Message string // id of the sent message
	Status  LetterStatus
	Error   string // why it failed or is unknown
	Tries   int    // requests to send it that may have been carried out

	Created, Updated time.Time
	Lease            time.Time // until when nobody but its holder may work on it, by the system's clock

	New      bool // this Take has made it
	Orphaned bool // who held it ended, which this Take or Hold found before the lease ran out

	LeaseToken string // names who holds it; for the store alone
	OwnerGone  bool   // when it was read, the process that holds it had certainly ended
}

// Done reports whether nothing more is to be done for the letter.
func (l *Letter) Done() bool {
	return l.Status == LetterSent || l.Status == LetterSaved || l.Status == LetterDropped
}

// Is reports whether the letter is the one that want asks for: under a key there
// may be another.
func (l *Letter) Is(want Letter) bool { return want.Key == "" || l.Digest == want.Digest }

// Held reports whether somebody works on the letter, or must not yet. A process
// that has certainly ended works on nothing.
func (l *Letter) Held() bool { return l.leased() && !l.orphaned() }

func (l *Letter) leased() bool { return time.Now().Before(l.Lease) }

// working reports whether the letter is at a stage that its holder goes on from.
func (l *Letter) working() bool { return l.Status == LetterPending || l.Status == LetterSending }

// orphaned reports whether the holder ended while it worked on the letter. A
// letter whose outcome is unknown is held for some time whoever lives.
func (l *Letter) orphaned() bool { return l.working() && l.OwnerGone }

// Abandoned reports whether somebody was working on the letter who does not any
// more: the lease has run out, or the process has ended.
func (l *Letter) Abandoned() bool { return l.working() && !l.Held() }

// ErrNotHeld: another process has taken the letter over, because the lease ran
// out, or it may not be worked on.
var ErrNotHeld = errors.New("another process works on it")
