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

// KindClick is the kind of an outbox item that is not a mail but a one-click
// unsubscription. Its Raw is the address.
const KindClick = "unsubscribe"

// An Outbox holds the mail that was requested, for the user's own commands.
type Outbox struct {
	persist.Outbox
	mailboxes *mailbox.Mailboxes
	options   Options
}

// OpenOutbox returns the outbox of the mailboxes. It opens nothing before its first use.
func OpenOutbox(boxes *mailbox.Mailboxes, how Options) *Outbox {
	o, p := &Outbox{mailboxes: boxes, options: how}, how.effectiveTimeouts()
	o.Outbox = persist.Outbox{Open: o.open, Word: "mail", Item: o.item, Said: statusInWords, Held: p.hold, Wait: p.settle, Poll: p.poll, Settle: p.settle}
	return o
}

// Show returns the item with that id, with its text while it is not sent. For an unknown
// id it returns NOT_FOUND with the nearest id.
func (o *Outbox) Show(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, letter, err := o.Letter(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	raw, err := box.Raw(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, persist.Explain(err)
	}
	item := o.item(letter)
	if letter.Kind == KindClick {
		item.Text = htmltext.Line(string(raw))
		return item, nil
	}
	if parsed, _, err := mailmsg.Parse(raw); len(raw) > 0 && err == nil {
		item.Text, _ = htmltext.Text(parsed.Text)
	}
	return item, nil
}

// Retry finds out whether a mail was sent, and sends it if it certainly was not. It asks
// the user again, about all recipients in the header. It returns OUTCOME_UNKNOWN if it
// cannot find out. It returns CONFLICT if nothing is left to do, if the mail is being
// sent, or if its draft was changed. It returns NOT_FOUND like Show.
func (o *Outbox) Retry(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, letter, err := o.Hold(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	m, err := o.sender(ctx, letter)
	if err == nil {
		err = m.mayLeaveAgain(ctx, box, letter)
	}
	if err != nil {
		return bundles.OutboxItem{}, errors.Join(err, persist.GiveBack(ctx, box, letter))
	}
	if letter.Kind == KindClick {
		err = m.Click(ctx, m, box, letter)
	} else {
		_, err = m.carry(ctx, box, letter)
	}
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	return o.Show(ctx, id)
}

// mayLeaveAgain asks whether the content of an outbox item may leave now.
func (m *Sender) mayLeaveAgain(ctx context.Context, box persist.OutboxStore, letter store.OutboxItem) error {
	switch {
	case letter.SaveOnly:
		return nil
	case letter.Kind == KindClick:
		return bundles.ConfirmSend(ctx, bundles.Outgoing{What: "unsubscription", People: envelopeOf(letter).addresses()})
	}
	again := Mail{}
	if !letter.OwnsDraft {
		again.DraftID = letter.Draft
	}
	_, err := m.mayLeave(ctx, box, letter, again)
	return err
}

// Drop gives up a mail. It deletes the draft that KOTA made for it, and its key may be
// used again. It keeps a draft of the user, and a draft in a mailbox that is signed out;
// the returned item then names the draft. If the outcome was unknown, it stays unknown.
// Drop returns the same errors as Retry.
func (o *Outbox) Drop(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, letter, err := o.Hold(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	if err := o.clear(ctx, box, &letter); err != nil {
		return bundles.OutboxItem{}, errors.Join(err, persist.GiveBack(ctx, box, letter))
	}
	letter.Status = store.OutboxCancelled
	if err := box.Save(ctx, &letter, 0); err != nil {
		return bundles.OutboxItem{}, persist.Explain(err)
	}
	return o.Show(ctx, id)
}

// errElsewhere means that the mailbox of the outbox item is signed out.
var errElsewhere = errors.New("nobody is signed in to its mailbox")

// sender opens the mailbox with the item's address, even if the account was renamed. It
// returns SIGN_IN_REQUIRED, wrapping errElsewhere, if the mailbox is signed out.
func (o *Outbox) sender(ctx context.Context, letter store.OutboxItem) (*Sender, error) {
	accounts, err := o.mailboxes.Accounts()
	if err != nil {
		return nil, err
	}
	for _, a := range accounts {
		if strings.EqualFold(a.Key(), letter.Account) {
			m, err := o.mailboxes.Open(bundles.WithScopes(ctx, []string{mailbox.ScopeCompose}), a.Name)
			return &Sender{Mailbox: m, Options: o.options}, err
		}
	}
	e := metadata.Errorf(metadata.SignInRequired, "the mail is to leave from %s, and %w", letter.Account, errElsewhere)
	return nil, e.WithHint("Sign in as %s with `kota auth login`, or give the mail up with `kota outbox drop %s`.", letter.Account, letter.ID)
}

// clear deletes the draft that KOTA made for an outbox item, also if it must search for
// the draft by its header.
func (o *Outbox) clear(ctx context.Context, box persist.OutboxStore, letter *store.OutboxItem) error {
	if !letter.OwnsDraft {
		return nil
	}
	m, err := o.sender(ctx, *letter)
	if err != nil && (letter.Draft == "" || errors.Is(err, errElsewhere)) {
		return nil // most likely no draft exists, or it is in another mailbox
	}
	if err != nil {
		return err
	}
	s := &sending{Sender: m, timeouts: m.effectiveTimeouts(), box: box, letter: *letter}
	if letter.Draft == "" {
		if _, err := s.findOrphan(ctx); err != nil {
			return err
		}
	}
	if err := s.removeDraft(ctx); err != nil {
		return err
	}
	s.letter.Draft, s.letter.ThreadID = "", ""
	*letter = s.letter
	return nil
}

func (o *Outbox) open(ctx context.Context) (persist.OutboxStore, error) {
	box, err := o.mailboxes.Stores.Outbox(ctx)
	return box, persist.Explain(err)
}
