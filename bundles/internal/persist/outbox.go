package persist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"kota/bundles"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
	"kota/store"
)

// Outbox gives the user's commands access to what a bundle was asked to send.
// Its methods return errors of the store as Explain does.
type Outbox struct {
	Open       func(context.Context) (OutboxStore, error)
	ItemName   string                                    // the word for an item: "mail"
	Show       func(store.OutboxItem) bundles.OutboxItem // how an item is shown
	DoneStatus func(store.OutboxItem) string             // the outcome of an item that is done: "sent"
	Lease      time.Duration                             // how long the user's command leases an item
	Wait       time.Duration                             // how long the command waits for an item that another process may be using
	Poll       time.Duration                             // how often the command checks meanwhile

	MaxRequestTime time.Duration // how long a request of a process that has ended may still take
}

// maxItems is the maximum length of a list. A user seldom sends so many mails in
// three months.
const maxItems = 1000

// List returns at most maxItems stored items, the last changed first. At the
// next ClaimOrCreate, the store deletes done and failed items whose last change
// is more than three months ago.
func (o Outbox) List(ctx context.Context) ([]bundles.OutboxItem, error) {
	box, err := o.Open(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := box.List(ctx, maxItems)
	if err != nil {
		return nil, Explain(err)
	}
	items := make([]bundles.OutboxItem, 0, len(stored))
	for _, item := range stored {
		items = append(items, o.Show(item))
	}
	return items, nil
}

// Get returns the bundle's store and the item with that id. If the item is
// absent, Get returns NOT_FOUND, with the nearest id if one is similar.
func (o Outbox) Get(ctx context.Context, id string) (OutboxStore, store.OutboxItem, error) {
	box, err := o.Open(ctx)
	if err != nil {
		return nil, store.OutboxItem{}, err
	}
	item, err := box.Get(ctx, id)
	if err != nil {
		return nil, store.OutboxItem{}, notFound(ctx, box, id, err)
	}
	return box, item, nil
}

// Acquire leases an item for the user's command. If another process that leased
// the item has ended while it worked on it, Acquire takes the lease over. Then it
// waits for MaxRequestTime, because a request of that process may still take
// effect. If another process still holds the item, Acquire waits for about Wait.
// It returns CONFLICT if nothing is left to do for the item, or if the item is
// being sent right now. It returns NOT_FOUND as Get does.
func (o Outbox) Acquire(ctx context.Context, id string) (OutboxStore, store.OutboxItem, error) {
	box, err := o.Open(ctx)
	if err != nil {
		return nil, store.OutboxItem{}, err
	}
	for waited := time.Duration(0); ; waited += o.Poll {
		item, err := box.Acquire(ctx, id, o.Lease)
		switch {
		case err == nil:
			return box, item, waitForRequest(ctx, box, item, o.MaxRequestTime)
		case !errors.Is(err, store.ErrNotHeld):
			return nil, item, notFound(ctx, box, id, err)
		case item.Done():
			return nil, item, metadata.Errorf(metadata.Conflict, "the %s was already %s: there is nothing to do", o.ItemName, o.DoneStatus(item)).
				WithHint("See `kota outbox show %s`.", id)
		case waited > o.Wait+o.Poll:
			return nil, item, metadata.Errorf(metadata.Conflict, "the %s is being sent right now", o.ItemName).
				WithHint("Wait a minute, then check with `kota outbox show %s`.", id)
		}
		if err := panicsafe.Pause(ctx, o.Poll); err != nil {
			return nil, item, err
		}
	}
}

// Release ends the lease of an item. It also sets the time of its last change,
// and changes nothing else.
func Release(ctx context.Context, box OutboxStore, item store.OutboxItem) error {
	return Explain(box.Save(context.WithoutCancel(ctx), &item, 0))
}

// notFound returns the error for an unknown id, with the nearest existing id if
// one is similar. It returns other errors as Explain does.
func notFound(ctx context.Context, box OutboxStore, id string, err error) error {
	if !errors.Is(err, store.ErrNotFound) {
		return Explain(err)
	}
	e := metadata.Errorf(metadata.NotFound, "there is no item %q in the outbox", arguments.Brief(id)).WithHint("`kota outbox list` lists all items.")
	items, listErr := box.List(ctx, maxItems)
	if listErr != nil {
		return e
	}
	ids := []string{}
	for _, item := range items {
		ids = append(ids, item.ID)
	}
	if near := metadata.Nearest(id, ids, 1); len(near) > 0 {
		e.Problems = []metadata.Problem{{Path: "id", Expected: "the id of an item in the outbox", Got: fmt.Sprintf("%q", arguments.Brief(id)), Suggestion: near[0]}}
		return e.WithHint("Did you mean %s? `kota outbox list` shows all.", near[0])
	}
	return e
}

// ItemOf returns the item as users see it, with its time in that zone. If the
// work on the item was interrupted, the status is "failed" or "unknown".
func (o Outbox) ItemOf(stored store.OutboxItem, zone *time.Location) bundles.OutboxItem {
	item := bundles.OutboxItem{
		ID: stored.ID, Time: stored.Created.In(zone), Account: stored.Account, Kind: stored.Kind, To: []string{},
		Key: stored.Key, Error: stored.Error, Status: string(stored.Status), Changed: stored.Updated,
	}
	switch {
	case stored.Interrupted() && stored.Status == store.OutboxPending:
		item.Status, item.Error = "failed", cmp.Or(stored.Error, "KOTA stopped before it sent the "+o.ItemName)
	case stored.Interrupted():
		item.Status, item.Error = "unknown", "KOTA stopped while it sent the "+o.ItemName
	case stored.Status == store.OutboxPending:
		item.Status = "sending"
	}
	switch item.Status {
	case "failed":
		item.Next = "It was not sent. Run `kota outbox retry " + stored.ID + "` to send it, or `kota outbox drop " + stored.ID + "` to drop it."
	case "sending":
		item.Next = "Wait a minute, then check again."
	}
	return item
}
