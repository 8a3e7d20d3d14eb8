package calendar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/kept"
	"kota/bundles/internal/readable"
	"kota/metadata"
	"kota/store"
)

// An Outbox is what was asked to reach the guests of events, for its user's own
// hands.
type Outbox struct{ calendar *calendar }

// OpenOutbox returns the outbox that the bundle of the same deps sends from.
// Nothing is touched before its first use.
func OpenOutbox(deps Deps) *Outbox {
	return &Outbox{calendar: &calendar{Deps: deps, agendas: map[string]*agenda{}}}
}

// mostItems bounds a list.
const mostItems = 1000

// List returns the invitations of the last three months, the last that changed
// first, and all whose outcome is unknown.
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
		items = append(items, itemOf(l, o.calendar.Now().Location()))
	}
	return items, nil
}

// Show returns the invitation of that id. It answers NOT_FOUND, naming the
// nearest, when there is none.
func (o *Outbox) Show(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, err := o.box(ctx)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	letter, err := box.Get(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, o.missing(ctx, box, id, err)
	}
	item := itemOf(letter, o.calendar.Now().Location())
	item.Text = readable.Line(mailingOf(letter).When)
	return item, nil
}

// Retry finds out what became of an invitation, and sends it when it certainly
// was not. It answers OUTCOME_UNKNOWN when that cannot be found out, CONFLICT for
// one with which nothing is left to do or that is being sent right now, and
// NOT_FOUND as Show does.
func (o *Outbox) Retry(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, letter, err := o.hold(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	a, r, err := o.open(ctx, box, letter)
	if err != nil {
		return bundles.OutboxItem{}, errors.Join(err, giveBack(ctx, box, letter))
	}
	if _, err := a.deliver(ctx, box, letter, r); err != nil {
		return bundles.OutboxItem{}, err
	}
	return o.Show(ctx, id)
}

// Drop gives an invitation up, and its key may be used again. Whether one of
// unknown outcome was sent is then not known: the calendar shows it. It answers
// as Retry does.
func (o *Outbox) Drop(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, letter, err := o.hold(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	letter.Status = store.LetterDropped
	if err := box.Save(ctx, &letter, 0); err != nil {
		return bundles.OutboxItem{}, kept.Explain(err)
	}
	return o.Show(ctx, id)
}

// open returns the agenda of the account that a letter is of, which is that of
// its address, and the request that it holds.
func (o *Outbox) open(ctx context.Context, box *store.Outbox, letter store.Letter) (*agenda, request, error) {
	r, err := requestOf(ctx, box, letter)
	if err != nil {
		return nil, request{}, err
	}
	accounts, err := o.calendar.Accounts()
	if err != nil {
		return nil, request{}, err
	}
	for _, account := range accounts {
		if strings.EqualFold(account.Key(), letter.Account) {
			a, err := o.calendar.open(bundles.WithScopes(ctx, []string{scopeEvents}), account.Name)
			return a, r, err
		}
	}
	return nil, request{}, metadata.Errorf(metadata.SignInRequired, "the invitation is to leave from %s, and nobody is signed in there", letter.Account).
		WithHint("Sign in as %s with `kota auth login`, or give it up with `kota outbox drop %s`.", letter.Account, letter.ID)
}

// hold takes a letter for its user.
func (o *Outbox) hold(ctx context.Context, id string) (*store.Outbox, store.Letter, error) {
	box, err := o.box(ctx)
	if err != nil {
		return nil, store.Letter{}, err
	}
	letter, err := box.Hold(ctx, id, posting)
	switch {
	case err == nil:
		return box, letter, nil
	case !errors.Is(err, store.ErrNotHeld):
		return nil, letter, o.missing(ctx, box, id, err)
	case letter.Done():
		return nil, letter, metadata.Errorf(metadata.Conflict, "the invitation was %s: nothing is left to do", letter.Status).
			WithHint("See `kota outbox show %s`.", id)
	}
	return nil, letter, metadata.Errorf(metadata.Conflict, "the invitation is being sent right now").
		WithHint("Wait a minute, then look with `kota outbox show %s`.", id)
}

// giveBack leaves a letter as it was.
func giveBack(ctx context.Context, box *store.Outbox, letter store.Letter) error {
	return kept.Explain(box.Save(context.WithoutCancel(ctx), &letter, 0))
}

func (o *Outbox) box(ctx context.Context) (*store.Outbox, error) {
	db, err := o.calendar.DB(ctx)
	if err != nil {
		return nil, kept.Explain(err)
	}
	return db.Outbox(owner, bundleKey), nil
}

// missing names the id that an unknown one may have meant.
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
		e.Problems = []metadata.Problem{{Path: "id", Expected: "the id of an invitation in the outbox", Got: fmt.Sprintf("%q", arguments.Brief(id)), Suggestion: near[0]}}
	}
	return e
}

// itemOf shows a letter to its user. Where the process that worked on it was
// ended, what it was at says what is known.
func itemOf(l store.Letter, zone *time.Location) bundles.OutboxItem {
	m := mailingOf(l)
	item := bundles.OutboxItem{
		ID: l.ID, Time: l.Created.In(zone), Account: l.Account, Kind: l.Kind, To: []string{}, Subject: readable.Line(m.Title),
		Key: m.Key, Event: m.Event, Error: l.Error, Status: string(l.Status), Changed: l.Updated,
	}
	for _, to := range m.People {
		item.To = append(item.To, readable.Line(to))
	}
	switch {
	case l.Abandoned() && l.Status == store.LetterPending:
		item.Status, item.Error = "failed", cmp.Or(l.Error, "KOTA was ended before it sent the invitation")
	case l.Abandoned():
		item.Status, item.Error = "unknown", "KOTA was ended while it sent the invitation"
	case l.Status == store.LetterPending:
		item.Status = "sending"
	}
	switch item.Status {
	case "unknown":
		item.Next = "Run `kota outbox retry " + l.ID + "`: it looks at the event first, and nothing is done twice."
	case "failed":
		item.Next = "It was not sent. Run `kota outbox retry " + l.ID + "` to send it, or `kota outbox drop " + l.ID + "` to give it up."
	case "sending":
		item.Next = "Wait a minute, then look again."
	}
	return item
}
