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

// KindClick is the kind of a letter that is no mail: one click, whose
// address is its Raw.
const KindClick = "unsubscribe"

// An Outbox is the mail that was asked to be sent, for its user's own hands.
type Outbox struct {
	persist.Outbox
	mailboxes *mailbox.Mailboxes
	options   Options
}

// OpenOutbox returns the outbox of the mailboxes. Nothing is touched before its
// first use.
func OpenOutbox(boxes *mailbox.Mailboxes, how Options) *Outbox {
	o, p := &Outbox{mailboxes: boxes, options: how}, how.effectiveTimeouts()
	o.Outbox = persist.Outbox{Open: o.open, Word: "mail", Item: o.item, Said: statusInWords, Held: p.hold, Wait: p.settle, Poll: p.poll, Settle: p.settle}
	return o
}

// Show returns the mail of that id, with its text while it is not sent. It returns
// NOT_FOUND, with the nearest id, for an unknown one.
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

// Retry finds out what became of a mail, and sends it when it certainly was not. It
// answers OUTCOME_UNKNOWN when that cannot be found out, CONFLICT for a mail with which
// nothing is left to do, that is being sent right now or whose draft was changed, and
// NOT_FOUND as Show does. The user is asked again, about everybody whom its header
// names.
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

// mayLeaveAgain asks whether what a letter is for may leave by now.
func (m *Sender) mayLeaveAgain(ctx context.Context, box persist.OutboxStore, letter store.OutboxItem) error {
	switch {
	case letter.SaveOnly:
		return nil
	case letter.Kind == KindClick:
		return bundles.ConfirmSend(ctx, bundles.Outgoing{What: "unsubscription", People: envelopeOf(letter).addresses()})
	}
	again := Mail{}
	if !letter.Own {
		again.DraftID = letter.Draft
	}
	_, err := m.mayLeave(ctx, box, letter, again)
	return err
}

// Drop gives a mail up: the draft that was made for it is removed, and its key
// may be used again. A draft of the user's stays, and one in a mailbox to which
// nobody is signed in: the item names it then. Whether a mail of unknown
// outcome was sent is then never known. It answers as Retry does.
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

// errElsewhere: nobody is signed in to the mailbox that a letter is of.
var errElsewhere = errors.New("nobody is signed in to its mailbox")

// sender opens the mailbox of the letter's address, whatever its account is called by now.
// It answers SIGN_IN_REQUIRED, wrapping errElsewhere, if it is signed out.
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

// clear removes the draft that was made for a letter, even if only its header is known.
func (o *Outbox) clear(ctx context.Context, box persist.OutboxStore, letter *store.OutboxItem) error {
	if !letter.Own {
		return nil
	}
	m, err := o.sender(ctx, *letter)
	if err != nil && (letter.Draft == "" || errors.Is(err, errElsewhere)) {
		return nil // most likely there is none, or it is in a mailbox that is not the user's here
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
	s.letter.Draft, s.letter.Placed = "", ""
	*letter = s.letter
	return nil
}

func (o *Outbox) open(ctx context.Context) (persist.OutboxStore, error) {
	box, err := o.mailboxes.Stores.Outbox(ctx)
	return box, persist.Explain(err)
}
