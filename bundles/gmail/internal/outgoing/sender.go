package outgoing

import (
	"context"
	"encoding/json"
	"time"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
)

// A Mail is a mail to send, or to save as a draft.
type Mail struct {
	// Key names the request, so that a repeat of it sends nothing more. Without
	// one the content stands for it for ten minutes: clients repeat calls that
	// took too long for them.
	Key  string
	Kind string // for people: send, reply, forward, draft

	// Raw is the mail without a header of the outbox's, which is put before it.
	Raw      []byte
	ThreadID string // Gmail's thread to put it in; "" for a new one
	DraftID  string // instead of Raw: the draft that is sent as it stands
	AsDraft  bool   // it is saved and not sent

	About Envelope // what it is to be known by; that of a draft is read from it

	// Same is what makes two requests the same; nil means the text and the
	// recipients in Raw, whatever its dates, ids and boundaries. Give it where a
	// repeat of a call would be composed differently.
	Same []byte

	// Received is what has come that makes the same request another; "" where
	// nothing does. While it is not known whether the first was sent, it is one.
	Received string
}

// A Delivery is what became of an outgoing mail.
type Delivery struct {
	MessageID string // of the message sent; "" for a draft
	ThreadID  string
	DraftID   string // of the draft saved; "" for what was sent
	OutboxID  string // what `kota outbox show` takes; "" for a draft without a key
	Repeated  bool   // an earlier call had done it: nothing was done now. A new Key does it again.

	About Envelope // of the mail that it stands for, which an earlier call may have composed
}

// A timeouts is how patient the outbox is.
type timeouts struct {
	prepare  time.Duration   // for what comes before the request that sends a mail, and as long again and more for its bytes
	send     time.Duration   // for that, and for looking what came of it
	hold     time.Duration   // a letter is held so long,
	renew    time.Duration   // and held on so often: a process that was killed does neither
	settle   time.Duration   // after an unanswered request, before a draft that is still there proves that it was not sent
	looks    []time.Duration // pauses before each look for a mail whose outcome is unknown
	poll     time.Duration   // how often a letter that another call sends is looked at
	patience time.Duration   // and for how long
	same     time.Duration   // how long the content alone tells a repeat
}

// googleTimeouts is for talking to Google: calls of a minute at most.
var googleTimeouts = &timeouts{
	prepare: time.Minute, send: 45 * time.Second,
	hold: 6 * time.Second, renew: 2 * time.Second, settle: 3 * time.Second,
	looks: []time.Duration{0, time.Second, 2 * time.Second},
	poll:  100 * time.Millisecond, patience: 40 * time.Second, same: 10 * time.Minute,
}

// A Sender sends the mail of one mailbox.
type Sender struct {
	*mailbox.Mailbox
	Options
}

// Options are how mail is sent.
type Options struct {
	// Hold is called when a mail is about to be sent, and what it returns when
	// the outcome is written down. Nil: nobody waits for that.
	Hold func() (release func())

	// Click carries out a letter that is no mail but a click that leaves a list.
	Click func(ctx context.Context, m *Sender, box persist.OutboxStore, letter store.OutboxItem) error

	timeouts *timeouts // nil: as Google wants it
}

func (o Options) effectiveTimeouts() *timeouts {
	if o.timeouts == nil {
		return googleTimeouts
	}
	return o.timeouts
}

// Deliver sends a mail, at most once, or saves it as a draft. A letter is kept
// in the outbox before anything leaves, and the request that sends it is made
// once, unless it is proven that the one before came to nothing. The request
// goes by a draft, which can be sent once only: whatever else fails, Gmail
// answers a second time with 404.
//
// It answers OUTCOME_UNKNOWN when Gmail did not say whether it sent the mail
// and that cannot be found out now. The same call again looks first, and sends
// only what was proven not to be sent. Any other error means that nothing was
// sent, and that repeating is safe. CONFLICT says that the key stands for
// another mail, or that somebody changed the draft of an earlier try. Once begun
// it ends neither with ctx nor with the connection, but within three minutes, and
// five more for the bytes of a large mail.
func (m *Sender) Deliver(ctx context.Context, out Mail) (Delivery, error) {
	if err := ctx.Err(); err != nil {
		return Delivery{}, err
	}
	if len(out.Raw) > mailbox.MaxRaw-1000 { // less our header
		return Delivery{}, metadata.Errorf(metadata.TooLarge, "the mail has %d MB, and Gmail takes 35 MB", len(out.Raw)>>20).
			WithHint("Attach less: 25 MB of files fit. Nothing was sent.")
	}
	if out.AsDraft {
		out.Raw = MarkIfTainted(ctx, out.Raw)
	}
	if out.AsDraft && out.Key == "" {
		return m.saveDraft(ctx, out)
	}
	box, err := m.Stores.Outbox(ctx)
	if err != nil {
		return Delivery{}, persist.Explain(err)
	}
	want, err := m.letter(out)
	if err != nil {
		return Delivery{}, err
	}
	letter, held, err := m.Letters(box).Take(ctx, &want, func(ctx context.Context, known store.OutboxItem) (err error) {
		if out.AsDraft {
			err = bundles.ConfirmChange(ctx, 1)
		} else {
			out.About.Content, err = m.mayLeave(ctx, box, known, out)
		}
		if err != nil {
			return err
		}
		want.Summary, err = json.Marshal(out.About)
		return err
	})
	switch {
	case err != nil:
		return Delivery{}, err
	case !letter.Is(want):
		return Delivery{}, keyTaken(ctx, letter)
	case !held:
		return deliveryOf(letter, true), nil
	}
	if !letter.Own {
		letter.Summary = want.Summary
	}
	return m.carry(ctx, box, letter)
}

// letter is what the outbox keeps of an outgoing mail.
func (m *Sender) letter(out Mail) (store.OutboxItem, error) {
	digest, gist, err := out.digests()
	if err != nil {
		return store.OutboxItem{}, err
	}
	return store.OutboxItem{
		Account: m.Account.Key(), Key: out.Key, Digest: digest, ContentKey: gist, Kind: out.Kind, Raw: out.Raw,
		Thread: out.ThreadID, Draft: out.DraftID, Own: out.DraftID == "", SaveOnly: out.AsDraft,
	}, nil
}

// Letters is how the bundle sends letters.
func (m *Sender) Letters(box persist.OutboxStore) persist.Post {
	p := m.effectiveTimeouts()
	return persist.Post{Box: box, Since: m.Now().Add(-p.same), Held: p.hold, Patience: p.patience, Poll: p.poll, Settle: p.settle, Busy: stillSending, Reason: reasonOf}
}

func deliveryOf(l store.OutboxItem, repeated bool) Delivery {
	d := Delivery{MessageID: l.Message, ThreadID: l.Placed, OutboxID: l.ID, Repeated: repeated, About: envelopeOf(l)}
	if l.Status == store.OutboxSaved {
		d.DraftID = l.Draft
	}
	return d
}
