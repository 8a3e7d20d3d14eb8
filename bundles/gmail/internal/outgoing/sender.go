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
	// Key identifies the request, so that a repeat sends nothing more. Without a key, the
	// content identifies the request until ten minutes after it was sent, because clients
	// repeat calls that take too long.
	Key  string
	Kind string // "send", "reply", "forward" or "draft", for people

	// Raw is the mail without the outbox header, which the Sender adds.
	Raw      []byte
	ThreadID string // Gmail's thread for the mail; "" for a new one
	DraftID  string // the draft to send unchanged, instead of Raw; "" to send Raw
	AsDraft  bool   // save the mail as a draft and do not send it

	Envelope Envelope // describes the mail for people; with DraftID it is read from the draft

	// RepeatKey is the same for all repeats of a call. Set it if a repeat would compose a
	// different mail. If it is nil, the content of Raw identifies the request, without
	// dates, ids and boundaries.
	RepeatKey []byte

	// Received is the id of the newest received mail in the thread, or "". After newly
	// arrived mail, an equal request is a new request. Received is ignored while the
	// outcome of the first request is unknown.
	Received string
}

// A Delivery is the result of sending or saving a mail.
type Delivery struct {
	MessageID string // the sent message; "" for a draft
	ThreadID  string
	DraftID   string // the saved draft; "" if the mail was sent
	OutboxID  string // the id for `kota outbox show`; "" for a draft without a key
	Repeated  bool   // an earlier call delivered the mail, and this one did nothing; a new Key delivers it again

	Envelope Envelope // describes the delivered mail, which an earlier call may have composed
}

// timeouts are the time limits of the outbox.
type timeouts struct {
	prepare      time.Duration   // limit for the steps before the send; a transfer gets this limit again plus time for its bytes
	send         time.Duration   // limit for the request that sends, together with the search for its outcome
	lease        time.Duration   // how long a lease lasts
	renew        time.Duration   // pause between renewals of the lease, which a killed process stops
	resolveAfter time.Duration   // wait after an unanswered request; after it, an existing draft proves that nothing was sent
	lookPauses   []time.Duration // the pause before each search for a mail with an unknown outcome
	poll         time.Duration   // pause between checks of an item that another call sends
	waitForOther time.Duration   // how long a call waits for that other call
	repeatWindow time.Duration   // how long the content alone identifies a repeat after the mail was sent
}

// googleTimeouts are the limits for Google, whose calls take at most a minute.
var googleTimeouts = &timeouts{
	prepare: time.Minute, send: 45 * time.Second,
	lease: 6 * time.Second, renew: 2 * time.Second, resolveAfter: 3 * time.Second,
	lookPauses: []time.Duration{0, time.Second, 2 * time.Second},
	poll:       100 * time.Millisecond, waitForOther: 40 * time.Second, repeatWindow: 10 * time.Minute,
}

// A Sender sends the mail of one mailbox.
type Sender struct {
	*mailbox.Mailbox
	Options
}

// Options are the settings for sending.
type Options struct {
	// Hold is called when a send begins. Deliver calls release after it recorded the
	// outcome. If Hold is nil, nobody waits for the outcome.
	Hold func() (release func())

	// OneClick carries out an outbox item that is a one-click unsubscription.
	OneClick func(ctx context.Context, s *Sender, box persist.OutboxStore, item store.OutboxItem) error

	timeouts *timeouts // nil: googleTimeouts
}

func (o Options) effectiveTimeouts() *timeouts {
	if o.timeouts == nil {
		return googleTimeouts
	}
	return o.timeouts
}

// Deliver sends a mail at most once, or saves it as a draft. It saves an outbox item
// before anything is sent. It requests the send only once, unless an earlier request is
// proven to have failed. The request sends a draft, which Gmail can send only once: Gmail
// answers a second request with 404.
//
// Deliver returns OUTCOME_UNKNOWN if Gmail did not say whether it sent the mail, and
// Deliver cannot find out now. The same call again first looks for the mail, and sends it
// only if it is proven unsent. Any other error means that nothing was sent, and that a
// repeat is safe. CONFLICT means that the key belongs to another mail, or that somebody
// changed the draft of an earlier attempt.
//
// Once started, Deliver does not stop when ctx or the connection ends. It stops within
// three minutes, plus five for the bytes of a large mail.
func (s *Sender) Deliver(ctx context.Context, out Mail) (Delivery, error) {
	if err := ctx.Err(); err != nil {
		return Delivery{}, err
	}
	if len(out.Raw) > mailbox.MaxRaw-1000 { // minus the outbox header
		return Delivery{}, metadata.Errorf(metadata.TooLarge, "the mail has %s MB, and Gmail accepts 35 MB", metadata.MiB(int64(len(out.Raw)))).
			WithHint("Attach less: 25 MB of files fit. Nothing was sent.")
	}
	if out.AsDraft {
		out.Raw = MarkIfTainted(ctx, out.Raw)
	}
	if out.AsDraft && out.Key == "" {
		return s.saveDraft(ctx, out)
	}
	box, err := s.Stores.Outbox(ctx)
	if err != nil {
		return Delivery{}, persist.Explain(err)
	}
	want, err := s.newItem(out)
	if err != nil {
		return Delivery{}, err
	}
	item, isLeased, err := s.ItemSender(box).Claim(ctx, &want, func(ctx context.Context, known store.OutboxItem) (err error) {
		if out.AsDraft {
			err = bundles.ConfirmChange(ctx, 1)
		} else {
			out.Envelope.Content, err = s.confirmSend(ctx, box, known, out)
		}
		if err != nil {
			return err
		}
		want.Summary, err = json.Marshal(out.Envelope)
		return err
	})
	switch {
	case err != nil:
		return Delivery{}, err
	case !item.Matches(want):
		return Delivery{}, keyUsedError(ctx, item)
	case !isLeased:
		return deliveryOf(item, true), nil
	}
	if !item.OwnsDraft {
		item.Summary = want.Summary
	}
	return s.deliverItem(ctx, box, item)
}

// newItem returns the outbox item of an outgoing mail.
func (s *Sender) newItem(out Mail) (store.OutboxItem, error) {
	digest, contentKey, err := out.digests()
	if err != nil {
		return store.OutboxItem{}, err
	}
	return store.OutboxItem{
		Account: s.Account.Key(), Key: out.Key, Digest: digest, ContentKey: contentKey, Kind: out.Kind, Raw: out.Raw,
		TargetThread: out.ThreadID, Draft: out.DraftID, OwnsDraft: out.DraftID == "", SaveOnly: out.AsDraft,
	}, nil
}

// ItemSender returns the settings for sending the items of box.
func (s *Sender) ItemSender(box persist.OutboxStore) persist.Sender {
	p := s.effectiveTimeouts()
	return persist.Sender{Box: box, Since: s.Now().Add(-p.repeatWindow), Lease: p.lease, WaitForOther: p.waitForOther, Poll: p.poll, MaxRequestTime: p.resolveAfter, Busy: stillSendingError, Reason: reasonOf}
}

func deliveryOf(item store.OutboxItem, repeated bool) Delivery {
	d := Delivery{MessageID: item.Message, ThreadID: item.ThreadID, OutboxID: item.ID, Repeated: repeated, Envelope: envelopeOf(item)}
	if item.Status == store.OutboxSaved {
		d.DraftID = item.Draft
	}
	return d
}
