package unsubscribe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"kota/bundles"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
)

// requestLease is how long an item is leased for a one-click request: the time limit of
// the request, and as long again to record the outcome.
const requestLease = 2 * oneClickTime

// An Unsubscriber leaves the mailing lists of one mailbox.
type Unsubscriber struct {
	*outgoing.Sender
	Poster Poster
}

// requestOnce sends the one-click request at most once. The item is in the outbox before
// the request is sent. For ten minutes after a successful request, a repeat sends nothing. A
// request with an unknown outcome is not repeated. repeated reports whether an earlier call
// succeeded, so that this call sent nothing.
func (u *Unsubscriber) requestOnce(ctx context.Context, o offer) (repeated bool, err error) {
	box, err := u.Stores.Outbox(ctx)
	if err != nil {
		return false, persist.Explain(err)
	}
	summary, err := json.Marshal(outgoing.Envelope{To: []string{o.link.Hostname()}, Subject: "leave the list of " + o.sender})
	if err != nil {
		return false, err
	}
	sum := sha256.Sum256([]byte(o.link.String()))
	want := store.OutboxItem{
		Account: u.Account.Key(), Kind: outgoing.KindOneClick, Digest: outgoing.KindOneClick + " " + hex.EncodeToString(sum[:]),
		Summary: summary, Raw: []byte(o.link.String()),
	}
	item, isLeased, err := u.ItemSender(box).Claim(ctx, &want, func(ctx context.Context, known store.OutboxItem) error {
		if mayHaveArrived(known) {
			return nil // no request will be sent, so there is no question
		}
		return bundles.ConfirmSend(ctx, o.approval())
	})
	if err != nil {
		return false, err
	}
	if !isLeased {
		return true, nil
	}
	return false, u.SendItem(ctx, box, item)
}

// SendItem makes the request of an outbox item that this process has leased, and records
// the outcome. It makes no request if an earlier one may have arrived. Once started, it
// does not stop when ctx is cancelled.
func (u *Unsubscriber) SendItem(ctx context.Context, box persist.OutboxStore, item store.OutboxItem) error {
	if u.Hold != nil {
		defer u.Hold()()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestLease)
	defer cancel()
	raw, err := box.Raw(ctx, item.ID)
	if err != nil {
		return persist.Explain(err)
	}
	link, err := url.Parse(string(raw))
	if err != nil {
		return fmt.Errorf("read outbox item: %w", err)
	}
	if mayHaveArrived(item) {
		item.Status = store.OutboxUnknown
		return errors.Join(earlierCallUnknownError(item, link), persist.Explain(box.Save(ctx, &item, 0)))
	}
	if !bundles.SendAllowed(ctx) { // another call had leased the item when this call asked for approval
		return errors.Join(otherCallFailedError(link), persist.Release(ctx, box, item))
	}
	sender := u.ItemSender(box)
	sender.Lease = requestLease
	return sender.Deliver(ctx, &item, func(ctx context.Context) error { return u.Poster.post(ctx, link) })
}

// mayHaveArrived reports whether the outcome of an earlier request for the item is unknown.
func mayHaveArrived(item store.OutboxItem) bool {
	return item.Status == store.OutboxUnknown || item.Status == store.OutboxSending
}

// otherCallFailedError returns the error for a request that another call has just sent
// without success.
func otherCallFailedError(link *url.URL) error {
	return metadata.Errorf(metadata.Conflict, "another call has just failed to unsubscribe at %s: no request was sent now", link.Hostname()).
		WithHint("Repeat the call to send the request again.")
}

// earlierCallUnknownError returns the error for a request that an earlier call may have
// sent.
func earlierCallUnknownError(item store.OutboxItem, link *url.URL) error {
	return metadata.Errorf(metadata.OutcomeUnknown, "an earlier call sent a request to %s with unknown outcome: no request was sent now", link.Hostname()).
		WithHint("Check in a few days whether mail still arrives. The user can open %s, or run `kota outbox drop %s`, after which the request can be sent again.", link, item.ID)
}
