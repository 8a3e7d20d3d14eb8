package persist

import (
	"context"
	"errors"
	"time"

	"kota/bundles/internal/panicsafe"
	"kota/metadata"
	"kota/store"
)

// Sender sends items of a bundle through the outbox. Each is sent at most once,
// by one call at a time across all processes. Its methods return errors of the
// store as Explain does.
type Sender struct {
	Box            OutboxStore
	Since          time.Time                    // a call without a key does not repeat items that were sent or saved before this time
	Lease          time.Duration                // how long the lease of an item lasts
	WaitForOther   time.Duration                // how long Claim waits for an item that another call is sending
	Poll           time.Duration                // how often Claim checks meanwhile
	MaxRequestTime time.Duration                // how long a request of a process that has ended may still take
	Busy           func(store.OutboxItem) error // returns the error for an item that another call is still sending after WaitForOther
	Reason         func(error) string           // returns the part of an error that people read
}

// Claim returns the item for want, and whether it has leased the item. If there
// is no item, it creates one. It leases an item that matches want, if something
// is left to do for that item. Before that it calls confirm, if not nil. confirm
// decides whether the item may be sent, and can change want. confirm gets the
// item that an earlier call has begun, or a zero item. Claim does not call
// confirm for an item that is done or that differs from want. If the item that
// confirm got has been removed in the meantime, Claim removes the item that it
// created instead, and calls confirm again.
func (p Sender) Claim(ctx context.Context, want *store.OutboxItem, confirm func(context.Context, store.OutboxItem) error) (store.OutboxItem, bool, error) {
	if confirm == nil {
		return p.claim(ctx, *want)
	}
	for {
		known, err := p.Box.Find(ctx, *want, p.Since)
		switch {
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return store.OutboxItem{}, false, Explain(err)
		case err == nil && (known.Done() || !known.Matches(*want)):
			return known, false, nil
		}
		if err := confirm(ctx, known); err != nil {
			return store.OutboxItem{}, false, Explain(err)
		}
		item, leased, err := p.claim(ctx, *want)
		if err != nil || !item.New || known.ID == "" {
			return item, leased, err
		}
		if err := p.Box.Forget(ctx, item); err != nil {
			return store.OutboxItem{}, false, Explain(err)
		}
	}
}

// claim is Claim without calling confirm. While another call is sending the
// item, it waits for at most WaitForOther.
func (p Sender) claim(ctx context.Context, want store.OutboxItem) (store.OutboxItem, bool, error) {
	waiting, cancel := context.WithTimeout(ctx, p.WaitForOther)
	defer cancel()
	for {
		item, leased, err := p.Box.ClaimOrCreate(ctx, want, p.Since, p.Lease)
		if err == nil && leased {
			err = waitForRequest(ctx, p.Box, item, p.MaxRequestTime)
		}
		if err != nil || leased || item.Done() || !item.Matches(want) {
			return item, leased, Explain(err)
		}
		for item.Held() && !item.Done() {
			if panicsafe.Pause(waiting, p.Poll) != nil {
				return item, false, p.Busy(item)
			}
			got, err := p.Box.Get(waiting, item.ID)
			if errors.Is(err, store.ErrNotFound) {
				break // the other call has removed it
			}
			switch {
			case err != nil && waiting.Err() != nil: // the time ran out while reading
				return item, false, p.Busy(item)
			case err != nil:
				return item, false, Explain(err)
			}
			item = got
		}
	}
}

// waitForRequest waits until the request of a process that has ended can no
// longer change anything, so that its outcome can be looked up. If ctx ends
// first, waitForRequest ends the lease.
func waitForRequest(ctx context.Context, box OutboxStore, item store.OutboxItem, wait time.Duration) error {
	if !item.Orphaned {
		return nil
	}
	err := panicsafe.Pause(ctx, wait)
	if err != nil {
		_ = box.Save(context.WithoutCancel(ctx), &item, 0) // if this fails, the lease expires
	}
	return err
}

// Deliver sends a leased item by calling do. It records the attempt before that,
// and the outcome after it: sent, failed, or unknown for OUTCOME_UNKNOWN and
// INTERNAL.
//
// do gets ctx, which therefore must not end with the tool call. If the item was
// sent but the outcome cannot be recorded, Deliver returns no error. The item
// then keeps the status sending, and the next call looks up its outcome. If do
// refuses a new item (VALIDATION_ERROR, CONFLICT, NOT_FOUND or REFUSED), Deliver
// removes the item, because the caller gets the error.
func (p Sender) Deliver(ctx context.Context, item *store.OutboxItem, do func(context.Context) error) error {
	item.Status, item.Error = store.OutboxSending, ""
	item.Tries++
	if err := p.Box.Save(ctx, item, p.Lease); err != nil {
		return Explain(err)
	}
	err := do(ctx)
	saving, saved := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer saved()
	if err == nil {
		item.Status = store.OutboxSent
		_ = p.Box.Save(saving, item, 0)
		return nil
	}
	item.Status, item.Error = store.OutboxFailed, p.Reason(err)
	switch metadata.CodeOf(err) {
	case metadata.OutcomeUnknown, metadata.Internal:
		item.Status = store.OutboxUnknown
	case metadata.ValidationError, metadata.Conflict, metadata.NotFound, metadata.Refused:
		if item.New {
			return errors.Join(err, Explain(p.Box.Forget(saving, *item)))
		}
	}
	return errors.Join(err, Explain(p.Box.Save(saving, item, 0)))
}

// saveTimeout is the time limit for recording the outcome of an item.
const saveTimeout = 5 * time.Second
