package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/gmail"
	"kota/cmd/kota/internal/metrics"
	"kota/metadata"
	"kota/store"
)

// BundleOutbox is the outbox of one or several bundles, for the user's own
// commands.
type BundleOutbox interface {
	// List returns the items, the last changed first.
	List(context.Context) ([]bundles.OutboxItem, error)
	// Show returns an item with its text. For an unknown id it returns
	// NOT_FOUND, with the nearest id as a suggestion if there is one. Retry
	// and Drop do the same.
	Show(ctx context.Context, id string) (bundles.OutboxItem, error)
	// Retry finds out the outcome of an item, and sends the item if it was
	// certainly not sent.
	Retry(ctx context.Context, id string) (bundles.OutboxItem, error)
	// Drop cancels an item.
	Drop(ctx context.Context, id string) (bundles.OutboxItem, error)
}

// outboxes presents the outboxes of several bundles as a single outbox.
type outboxes []BundleOutbox

// Outbox returns the outboxes of the bundles that have one, as a single outbox.
func (a *App) Outbox() BundleOutbox {
	return outboxes{gmail.OpenOutbox(a.MailDeps()), calendar.OpenOutbox(a.CalendarDeps())}
}

func (all outboxes) List(ctx context.Context) ([]bundles.OutboxItem, error) {
	items := []bundles.OutboxItem{}
	for _, outbox := range all {
		found, err := outbox.List(ctx)
		if err != nil {
			return nil, err
		}
		items = append(items, found...)
	}
	slices.SortStableFunc(items, func(a, b bundles.OutboxItem) int { return b.Changed.Compare(a.Changed) })
	return items, nil
}

func (all outboxes) Show(ctx context.Context, id string) (bundles.OutboxItem, error) {
	_, item, err := all.find(ctx, id)
	return item, err
}

func (all outboxes) Retry(ctx context.Context, id string) (bundles.OutboxItem, error) {
	outbox, item, err := all.find(ctx, id)
	if err != nil {
		return item, err
	}
	return outbox.Retry(ctx, id)
}

func (all outboxes) Drop(ctx context.Context, id string) (bundles.OutboxItem, error) {
	outbox, item, err := all.find(ctx, id)
	if err != nil {
		return item, err
	}
	return outbox.Drop(ctx, id)
}

// find returns the outbox that has an item with the id, and that item. If no
// outbox has it, find returns the first error that suggests another id, else
// the first error.
func (all outboxes) find(ctx context.Context, id string) (BundleOutbox, bundles.OutboxItem, error) {
	var missing error
	for _, outbox := range all {
		item, err := outbox.Show(ctx, id)
		if metadata.CodeOf(err) != metadata.NotFound {
			return outbox, item, err
		}
		if missing == nil || !suggests(missing) && suggests(err) {
			missing = err
		}
	}
	return nil, bundles.OutboxItem{}, missing
}

// suggests reports whether an error suggests another id.
func suggests(err error) bool {
	e := (*metadata.Error)(nil)
	return errors.As(err, &e) && slices.ContainsFunc(e.Problems, func(p metadata.Problem) bool { return p.Suggestion != "" })
}

// countOutbox counts the states that the items of a bundle reach, if metrics are kept.
func (a *App) countOutbox(items gmail.OutboxStore, bundle string) gmail.OutboxStore {
	if a.Metrics == nil {
		return items
	}
	return countedOutbox{items, a.Metrics, bundle}
}

// A countedOutbox counts the items of one process. The numbers of all rows would need a role that
// reads the rows of all people.
type countedOutbox struct {
	gmail.OutboxStore
	metrics *metrics.Metrics
	bundle  string
}

func (o countedOutbox) ClaimOrCreate(ctx context.Context, want store.OutboxItem, since time.Time, lease time.Duration) (store.OutboxItem, bool, error) {
	item, held, err := o.OutboxStore.ClaimOrCreate(ctx, want, since, lease)
	if err == nil && item.New {
		o.metrics.CountOutbox(o.bundle, string(item.Status))
	}
	return item, held, err
}

func (o countedOutbox) Save(ctx context.Context, item *store.OutboxItem, lease time.Duration) error {
	err := o.OutboxStore.Save(ctx, item, lease)
	if err == nil && item.Status != store.OutboxPending { // a pending item is saved several times
		o.metrics.CountOutbox(o.bundle, string(item.Status))
	}
	return err
}
