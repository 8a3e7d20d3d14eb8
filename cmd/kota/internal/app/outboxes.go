package app

import (
	"context"
	"errors"
	"slices"

	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/gmail"
	"kota/metadata"
)

// A BundleOutbox is what one bundle was asked to send, for its user's own hands.
type BundleOutbox interface {
	// List returns what is kept, the last that changed first.
	List(context.Context) ([]bundles.OutboxItem, error)
	// Show returns one with its text. It answers NOT_FOUND, with the nearest id
	// as a suggestion where there is one, for an unknown id. So do the others.
	Show(ctx context.Context, id string) (bundles.OutboxItem, error)
	// Retry finds out what became of one, and sends it when it certainly was not.
	Retry(ctx context.Context, id string) (bundles.OutboxItem, error)
	// Drop gives one up.
	Drop(ctx context.Context, id string) (bundles.OutboxItem, error)
}

// outboxes are those of several bundles as one.
type outboxes []BundleOutbox

// Outbox is what all bundles were asked to send.
func (a *App) Outbox() BundleOutbox {
	return outboxes{gmail.OpenOutbox(a.MailDeps()), calendar.OpenOutbox(a.CalendarDeps())}
}

func (all outboxes) List(ctx context.Context) ([]bundles.OutboxItem, error) {
	items := []bundles.OutboxItem{}
	for _, one := range all {
		some, err := one.List(ctx)
		if err != nil {
			return nil, err
		}
		items = append(items, some...)
	}
	slices.SortStableFunc(items, func(a, b bundles.OutboxItem) int { return b.Changed.Compare(a.Changed) })
	return items, nil
}

func (all outboxes) Show(ctx context.Context, id string) (bundles.OutboxItem, error) {
	_, item, err := all.find(ctx, id)
	return item, err
}

func (all outboxes) Retry(ctx context.Context, id string) (bundles.OutboxItem, error) {
	one, item, err := all.find(ctx, id)
	if err != nil {
		return item, err
	}
	return one.Retry(ctx, id)
}

func (all outboxes) Drop(ctx context.Context, id string) (bundles.OutboxItem, error) {
	one, item, err := all.find(ctx, id)
	if err != nil {
		return item, err
	}
	return one.Drop(ctx, id)
}

// find returns the outbox that has the id, with what it shows of it. When none
// has, the error is of one that can suggest another id, or of the first.
func (all outboxes) find(ctx context.Context, id string) (BundleOutbox, bundles.OutboxItem, error) {
	var missing error
	for _, one := range all {
		item, err := one.Show(ctx, id)
		if metadata.CodeOf(err) != metadata.NotFound {
			return one, item, err
		}
		if missing == nil || !suggests(missing) && suggests(err) {
			missing = err
		}
	}
	return nil, bundles.OutboxItem{}, missing
}

// suggests reports whether an error names what may have been meant.
func suggests(err error) bool {
	e := (*metadata.Error)(nil)
	return errors.As(err, &e) && slices.ContainsFunc(e.Problems, func(p metadata.Problem) bool { return p.Suggestion != "" })
}
