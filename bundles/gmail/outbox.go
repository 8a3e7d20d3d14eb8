package gmail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/kept"
	"kota/bundles/internal/readable"
	"kota/bundles/internal/rfc5322"
	"kota/metadata"
	"kota/store"
)

// An Outbox is the mail that was asked to be sent, for its user's own hands.
type Outbox struct{ gmail *gmail }

// OpenOutbox returns the outbox that the bundle of the same deps sends from.
// Nothing is touched before its first use.
func OpenOutbox(deps Deps) *Outbox {
	return &Outbox{gmail: &gmail{Deps: deps, mailboxes: map[string]*mailbox{}}}
}

// mostItems bounds a list. Three months of mail seldom have as many.
const mostItems = 1000

// List returns the mails of the last three months, newest first, and all whose
// outcome is unknown.
func (o *Outbox) List(ctx context.Context) ([]bundles.OutboxItem, error) {
	box, err := o.box(ctx)
	if err != nil {
		return nil, err
	}
	letters, err := box.List(ctx, mostItems)
	if err != nil {
		return nil, kept.Explain(err)
	}
	items := make([]bundles.OutboxItem, 0, len(letters))
	for _, l := range letters {
		items = append(items, itemOf(l, o.gmail.Now().Location()))
	}
	return items, nil
}

// Show returns the mail of that id, with its text while it is not sent. It
// answers NOT_FOUND, naming the nearest, when there is none.
func (o *Outbox) Show(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, err := o.box(ctx)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	letter, err := box.Get(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, o.missing(ctx, box, id, err)
	}
	raw, err := box.Raw(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, kept.Explain(err)
	}
	item := itemOf(letter, o.gmail.Now().Location())
	if parsed, _, err := rfc5322.Parse(raw); len(raw) > 0 && err == nil {
		item.Text, _ = readable.Text(parsed.Text)
	}
	return item, nil
}

// Retry finds out what became of a mail, and sends it when it certainly was
// not. It answers OUTCOME_UNKNOWN when that cannot be found out, CONFLICT for a
// mail with which nothing is left to do, that is being sent right now or whose
// draft was changed, and
// NOT_FOUND as Show does.
func (o *Outbox) Retry(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, letter, err := o.hold(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	m, err := o.mailbox(ctx, letter)
	if err != nil {
		return bundles.OutboxItem{}, errors.Join(err, o.giveBack(ctx, box, letter))
	}
	if _, err := m.carry(ctx, box, letter); err != nil {
		return bundles.OutboxItem{}, err
	}
	return o.Show(ctx, id)
}

// Drop gives a mail up: the draft that was made for it is removed, and its key
// may be used again. A draft of the user's stays, and one in a mailbox to which
// nobody is signed in: the item names it then. Whether a mail of unknown
// outcome was sent is then never known. It answers as Retry does.
func (o *Outbox) Drop(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, letter, err := o.hold(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	if err := o.clear(ctx, box, &letter); err != nil {
		return bundles.OutboxItem{}, errors.Join(err, o.giveBack(ctx, box, letter))
	}
	letter.Status = store.LetterDropped
	if err := box.Save(ctx, &letter, 0); err != nil {
		return bundles.OutboxItem{}, kept.Explain(err)
	}
	return o.Show(ctx, id)
}

// errElsewhere: nobody is signed in to the mailbox that a letter is of.
var errElsewhere = errors.New("nobody is signed in to its mailbox")

// mailbox opens the mailbox that a letter leaves from, which is that of its
// address: the name of the account may mean another by now. It answers
// SIGN_IN_REQUIRED, wrapping errElsewhere, when nobody is signed in there.
func (o *Outbox) mailbox(ctx context.Context, letter store.Letter) (*mailbox, error) {
	accounts, err := o.gmail.Accounts()
	if err != nil {
		return nil, err
	}
	for _, a := range accounts {
		if strings.EqualFold(a.Key(), letter.Account) {
			return o.gmail.open(bundles.WithScopes(ctx, []string{scopeCompose}), a.Name)
		}
	}
	e := metadata.Errorf(metadata.SignInRequired, "the mail is to leave from %s, and %w", letter.Account, errElsewhere)
	return nil, e.WithHint("Sign in as %s with `kota auth login`, or give the mail up with `kota outbox drop %s`.", letter.Account, letter.ID)
}

// clear removes the draft that was made for a letter, also one that is known by
// its header alone.
func (o *Outbox) clear(ctx context.Context, box *store.Outbox, letter *store.Letter) error {
	if !letter.Own {
		return nil
	}
	m, err := o.mailbox(ctx, *letter)
	if err != nil && (letter.Draft == "" || errors.Is(err, errElsewhere)) {
		return nil // most likely there is none, or it is in a mailbox that is not the user's here
	}
	if err != nil {
		return err
	}
	s := &sending{mailbox: m, pace: m.patience(), box: box, letter: *letter}
	if letter.Draft == "" {
		if _, err := s.findStray(ctx); err != nil {
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

// hold takes a letter for its user. It waits for the end of a lease that nobody
// uses any more, and a moment for one that somebody may.
func (o *Outbox) hold(ctx context.Context, id string) (*store.Outbox, store.Letter, error) {
	box, err := o.box(ctx)
	if err != nil {
		return nil, store.Letter{}, err
	}
	p := o.gmail.patience()
	for waited := time.Duration(0); ; waited += p.poll {
		letter, err := box.Hold(ctx, id, p.hold)
		switch {
		case err == nil:
			return box, letter, nil
		case !errors.Is(err, store.ErrNotHeld):
			return nil, letter, o.missing(ctx, box, id, err)
		case letter.Done():
			return nil, letter, metadata.Errorf(metadata.Conflict, "the mail was %s: nothing is left to do", statusInWords(letter)).
				WithHint("See `kota outbox show %s`.", id)
		case waited > p.settle+p.poll && !letter.Abandoned() || waited > p.hold+p.settle:
			return nil, letter, metadata.Errorf(metadata.Conflict, "the mail is being sent right now").
				WithHint("Wait a minute, then look with `kota outbox show %s`.", id)
		}
		if err := pause(ctx, p.poll); err != nil {
			return nil, letter, err
		}
	}
}

// giveBack leaves a letter as it was.
func (o *Outbox) giveBack(ctx context.Context, box *store.Outbox, letter store.Letter) error {
	return box.Save(context.WithoutCancel(ctx), &letter, 0)
}

func (o *Outbox) box(ctx context.Context) (*store.Outbox, error) {
	db, err := o.gmail.DB(ctx)
	if err != nil {
		return nil, kept.Explain(err)
	}
	return db.Outbox(owner, bundleKey), nil
}

// missing names the ids that an unknown one may have meant.
func (o *Outbox) missing(ctx context.Context, box *store.Outbox, id string, err error) error {
	if !errors.Is(err, store.ErrNotFound) {
		return kept.Explain(err)
	}
	e := metadata.Errorf(metadata.NotFound, "the outbox has no %q", arguments.Brief(id)).WithHint("`kota outbox list` shows what there is.")
	letters, listing := box.List(ctx, mostItems)
	if listing != nil {
		return e
	}
	ids := []string{}
	for _, l := range letters {
		ids = append(ids, l.ID)
	}
	if near := metadata.Nearest(id, ids, 1); len(near) > 0 {
		e.Problems = []metadata.Problem{{Path: "id", Expected: "the id of a mail in the outbox", Got: fmt.Sprintf("%q", arguments.Brief(id)), Suggestion: near[0]}}
		return e.WithHint("Did you mean %s? `kota outbox list` shows all.", near[0])
	}
	return e
}
