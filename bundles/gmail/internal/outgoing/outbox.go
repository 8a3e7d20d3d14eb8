package outgoing

import (
	"context"
	"errors"
	"strings"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
)

// KindOneClick is the kind of an outbox item that is not a mail but a one-click
// unsubscription. Its Raw is the URL of the request.
const KindOneClick = "unsubscribe"

// An Outbox lists, sends and drops requested mails and unsubscriptions for the user's own
// commands.
type Outbox struct {
	persist.Outbox
	mailboxes *mailbox.Mailboxes
	options   Options
}

// OpenOutbox returns the outbox of the mailboxes. It opens nothing before its first use.
func OpenOutbox(boxes *mailbox.Mailboxes, options Options) *Outbox {
	o, p := &Outbox{mailboxes: boxes, options: options}, options.effectiveTimeouts()
	o.Outbox = persist.Outbox{Open: o.open, ItemName: "mail", Show: o.describe, DoneStatus: statusInWords, Lease: p.lease, Wait: p.resolveAfter, Poll: p.poll, MaxRequestTime: p.resolveAfter}
	return o
}

// Show returns the item with that id. It contains the text of the mail until the mail is
// sent. For an unknown id, Show returns NOT_FOUND with the nearest id.
func (o *Outbox) Show(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, stored, err := o.Get(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	raw, err := box.Raw(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, persist.Explain(err)
	}
	item := o.describe(stored)
	if stored.Kind == KindOneClick {
		item.Text = htmltext.Line(string(raw))
		return item, nil
	}
	if parsed, _, err := mailmsg.Parse(raw); len(raw) > 0 && err == nil {
		item.Text, _ = htmltext.Text(parsed.Text)
	}
	return item, nil
}

// Retry finds out whether a mail was sent, and sends it if it certainly was not. It first
// calls bundles.ConfirmSend again, with all recipients in the header, unless the item only
// saves a draft. It returns OUTCOME_UNKNOWN if it cannot find out whether the mail
// was sent. It returns CONFLICT if nothing is left to do, if the mail is being sent, or if
// its draft was changed. It returns NOT_FOUND like Show.
func (o *Outbox) Retry(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, item, err := o.Acquire(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	sender, err := o.sender(ctx, item)
	if err == nil {
		err = sender.confirmRetry(ctx, box, item)
	}
	if err != nil {
		return bundles.OutboxItem{}, errors.Join(err, persist.Release(ctx, box, item))
	}
	if item.Kind == KindOneClick {
		err = sender.OneClick(ctx, sender, box, item)
	} else {
		_, err = sender.deliverItem(ctx, box, item)
	}
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	return o.Show(ctx, id)
}

// confirmRetry asks whether the content of an outbox item may be sent now.
func (s *Sender) confirmRetry(ctx context.Context, box persist.OutboxStore, item store.OutboxItem) error {
	switch {
	case item.SaveOnly:
		return nil
	case item.Kind == KindOneClick:
		return bundles.ConfirmSend(ctx, bundles.Outgoing{What: "unsubscription", People: envelopeOf(item).addresses()})
	}
	again := Mail{}
	if !item.OwnsDraft {
		again.DraftID = item.Draft
	}
	_, err := s.confirmSend(ctx, box, item, again)
	return err
}

// Drop cancels a mail. It deletes the draft that KOTA made for the mail. The mail's
// idempotency key may be used again. Drop keeps a draft of the user, and a draft in a
// mailbox that is signed out; the returned item then names the draft. Drop does not find
// out whether the mail was sent. It returns CONFLICT if nothing is left to do or the mail is being sent, and
// NOT_FOUND like Show.
func (o *Outbox) Drop(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, item, err := o.Acquire(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	if err := o.deleteDraft(ctx, box, &item); err != nil {
		return bundles.OutboxItem{}, errors.Join(err, persist.Release(ctx, box, item))
	}
	item.Status = store.OutboxCancelled
	if err := box.Save(ctx, &item, 0); err != nil {
		return bundles.OutboxItem{}, persist.Explain(err)
	}
	return o.Show(ctx, id)
}

// errSignedOut means that the mailbox of the outbox item is signed out.
var errSignedOut = errors.New("its mailbox is not signed in")

// sender opens the mailbox with the item's address, even if the account was renamed. It
// returns SIGN_IN_REQUIRED, wrapping errSignedOut, if the mailbox is signed out.
func (o *Outbox) sender(ctx context.Context, item store.OutboxItem) (*Sender, error) {
	accounts, err := o.mailboxes.Accounts()
	if err != nil {
		return nil, err
	}
	for _, a := range accounts {
		if strings.EqualFold(a.Key(), item.Account) {
			m, err := o.mailboxes.Open(bundles.WithScopes(ctx, []string{mailbox.ScopeCompose}), a.Name)
			return &Sender{Mailbox: m, Options: o.options}, err
		}
	}
	e := metadata.Errorf(metadata.SignInRequired, "the mail must be sent from %s, but %w", item.Account, errSignedOut)
	return nil, e.WithHint("Sign in as %s with `kota auth login`, or drop the mail with `kota outbox drop %s`.", item.Account, item.ID)
}

// deleteDraft deletes the draft that KOTA made for an outbox item. If the item has no
// draft id, it searches for the draft by its header.
func (o *Outbox) deleteDraft(ctx context.Context, box persist.OutboxStore, item *store.OutboxItem) error {
	if !item.OwnsDraft {
		return nil
	}
	sender, err := o.sender(ctx, *item)
	if err != nil && (item.Draft == "" || errors.Is(err, errSignedOut)) {
		return nil // most likely no draft exists, or its mailbox is signed out
	}
	if err != nil {
		return err
	}
	a := &attempt{Sender: sender, timeouts: sender.effectiveTimeouts(), box: box, item: *item}
	if item.Draft == "" {
		if _, err := a.findDraft(ctx); err != nil {
			return err
		}
	}
	if err := a.removeDraft(ctx); err != nil {
		return err
	}
	a.item.Draft, a.item.ThreadID = "", ""
	*item = a.item
	return nil
}

func (o *Outbox) open(ctx context.Context) (persist.OutboxStore, error) {
	box, err := o.mailboxes.Stores.Outbox(ctx)
	return box, persist.Explain(err)
}
