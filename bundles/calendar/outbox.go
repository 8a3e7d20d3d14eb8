package calendar

import (
	"context"
	"errors"
	"strings"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
)

// An Outbox gives the user access to the stored requests that reach people. It calls each
// of them an invitation.
type Outbox struct {
	persist.Outbox
	calendar *calendar
}

// OpenOutbox returns the outbox of a bundle with these deps. It uses no dependency before
// the first call.
func OpenOutbox(deps Deps) *Outbox {
	o := &Outbox{calendar: open(deps)}
	o.Outbox = persist.Outbox{Open: o.calendar.Outbox, ItemName: "invitation", Show: o.item, DoneStatus: statusInWords, Lease: eventwrite.Lease, Poll: eventwrite.PollInterval, MaxRequestTime: eventwrite.SettleTime}
	return o
}

func statusInWords(stored store.OutboxItem) string { return string(stored.Status) }

// Show returns the invitation with that id. For an unknown id it returns NOT_FOUND and
// names the nearest one.
func (o *Outbox) Show(ctx context.Context, id string) (bundles.OutboxItem, error) {
	_, stored, err := o.Get(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	item := o.item(stored)
	item.Text = htmltext.Line(eventwrite.SummaryOf(stored).When)
	return item, nil
}

// Retry finds out the outcome of an invitation, and sends it if it certainly was not sent.
// It returns OUTCOME_UNKNOWN if it cannot find out the outcome. It returns CONFLICT if
// nothing is left to do, or if another process is sending the invitation now. It returns
// NOT_FOUND as Show does.
func (o *Outbox) Retry(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, stored, err := o.Acquire(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	a, r, err := o.open(ctx, box, stored)
	if err == nil {
		err = bundles.ConfirmSend(ctx, bundles.Outgoing{What: stored.Kind, People: eventwrite.SummaryOf(stored).People})
	}
	if err != nil {
		return bundles.OutboxItem{}, errors.Join(err, persist.Release(ctx, box, stored))
	}
	if _, err := a.Deliver(ctx, box, stored, r); err != nil {
		return bundles.OutboxItem{}, err
	}
	return o.Show(ctx, id)
}

// Drop marks an invitation as cancelled, so that it is not sent again. Its key may then be
// used again. Drop does not find out an unknown outcome; the calendar shows whether the
// event exists. Drop returns CONFLICT and NOT_FOUND as Retry does.
func (o *Outbox) Drop(ctx context.Context, id string) (bundles.OutboxItem, error) {
	box, stored, err := o.Acquire(ctx, id)
	if err != nil {
		return bundles.OutboxItem{}, err
	}
	stored.Status = store.OutboxCancelled
	if err := box.Save(ctx, &stored, 0); err != nil {
		return bundles.OutboxItem{}, persist.Explain(err)
	}
	return o.Show(ctx, id)
}

// open returns the agenda of the item's account, and the request in the item.
func (o *Outbox) open(ctx context.Context, box OutboxStore, stored store.OutboxItem) (*agenda.Agenda, eventwrite.Request, error) {
	r, err := eventwrite.RequestOf(ctx, box, stored)
	if err != nil {
		return nil, eventwrite.Request{}, err
	}
	accounts, err := o.calendar.Accounts()
	if err != nil {
		return nil, eventwrite.Request{}, err
	}
	for _, account := range accounts {
		if strings.EqualFold(account.Key(), stored.Account) {
			a, err := o.calendar.Open(bundles.WithScopes(ctx, []string{scopeEvents}), account.Name)
			return a, r, err
		}
	}
	return nil, eventwrite.Request{}, metadata.Errorf(metadata.SignInRequired, "the invitation must be sent from %s, which is not signed in", stored.Account).
		WithHint("Sign in as %s with `kota auth login`, or drop it with `kota outbox drop %s`.", stored.Account, stored.ID)
}

// item returns an outbox item as the user sees it.
func (o *Outbox) item(stored store.OutboxItem) bundles.OutboxItem {
	m, item := eventwrite.SummaryOf(stored), o.ItemOf(stored, o.calendar.Now().Location())
	item.Subject, item.Key, item.Event = htmltext.Line(m.Title), m.Key, m.Event
	item.Bundle, item.Addresses = agenda.BundleKey, m.People
	for _, to := range m.People {
		item.To = append(item.To, htmltext.Line(to))
	}
	if item.Status == "unknown" {
		item.Next = "Run `kota outbox retry " + stored.ID + "`: it checks the event first, and nothing is done twice."
	}
	return item
}
