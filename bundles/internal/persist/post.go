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
// by one call at a time across all processes. It explains errors of the store.
type Sender struct {
	Box            OutboxStore
	Since          time.Time                    // for recognising a repeat by its content alone
	Lease          time.Duration                // how long the lease of an item lasts
	WaitForOther   time.Duration                // how long it waits for an item that another call is sending
	Poll           time.Duration                // how often it checks meanwhile
	MaxRequestTime time.Duration                // how long a request of a process that has ended may still take
	Busy           func(store.OutboxItem) error // the error if another call is sending it all that time
	Reason         func(error) string           // the part of an error that people read
}

// Claim returns the item for want, leased if something is left to do for it.
// Before that it calls may, if not nil, which decides whether the item may be
// sent and may amend want. may gets the item that an earlier call has begun, or
// a zero item. Claim does not call may for an item that is done or that differs
// from want. If the item that may has seen is gone meanwhile, Claim forgets the
// new item and calls may again.
func (p Sender) Claim(ctx context.Context, want *store.OutboxItem, may func(context.Context, store.OutboxItem) error) (store.OutboxItem, bool, error) {
	if may == nil {
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
		if err := may(ctx, known); err != nil {
			return store.OutboxItem{}, false, Explain(err)
		}
		letter, held, err := p.claim(ctx, *want)
		if err != nil || !letter.New || known.ID == "" {
			return letter, held, err
		}
		if err := p.Box.Forget(ctx, letter); err != nil {
			return store.OutboxItem{}, false, Explain(err)
		}
	}
}

// claim is Claim without calling may. It waits while another call is sending the
// item.
func (p Sender) claim(ctx context.Context, want store.OutboxItem) (store.OutboxItem, bool, error) {
	waiting, cancel := context.WithTimeout(ctx, p.WaitForOther)
	defer cancel()
	for {
		letter, held, err := p.Box.ClaimOrCreate(ctx, want, p.Since, p.Lease)
		if err == nil && held {
			err = waitForRequest(ctx, p.Box, letter, p.MaxRequestTime)
		}
		if err != nil || held || letter.Done() || !letter.Matches(want) {
			return letter, held, Explain(err)
		}
		for letter.Held() && !letter.Done() {
			if panicsafe.Pause(waiting, p.Poll) != nil {
				return letter, false, p.Busy(letter)
			}
			got, err := p.Box.Get(waiting, letter.ID)
			if errors.Is(err, store.ErrNotFound) {
				break // the other call has removed it
			}
			switch {
			case err != nil && waiting.Err() != nil: // the time ran out while reading
				return letter, false, p.Busy(letter)
			case err != nil:
				return letter, false, Explain(err)
			}
			letter = got
		}
	}
}

// waitForRequest waits until a request of a dead process has either been carried out
// or never will be, so that its outcome can be looked up. If ctx ends first,
// settled ends the lease.
func waitForRequest(ctx context.Context, box OutboxStore, letter store.OutboxItem, wait time.Duration) error {
	if !letter.Orphaned {
		return nil
	}
	err := panicsafe.Pause(ctx, wait)
	if err != nil {
		_ = box.Save(context.WithoutCancel(ctx), &letter, 0) // if this fails, the lease expires
	}
	return err
}

// Deliver does what a leased item asks for. It records the attempt before it
// begins, and the outcome after it: sent, failed, or unknown for
// OUTCOME_UNKNOWN and INTERNAL.
//
// Deliver ends with ctx, which must outlast the call. If the item was sent but
// the outcome cannot be recorded, Deliver returns no error: the item stays as
// being sent, and the next call looks up its outcome. A new item that cannot be
// sent as asked is forgotten, because its caller gets the error.
func (p Sender) Deliver(ctx context.Context, letter *store.OutboxItem, do func(context.Context) error) error {
	letter.Status, letter.Error = store.OutboxSending, ""
	letter.Tries++
	if err := p.Box.Save(ctx, letter, p.Lease); err != nil {
		return Explain(err)
	}
	err := do(ctx)
	saving, saved := context.WithTimeout(context.WithoutCancel(ctx), savingTime)
	defer saved()
	if err == nil {
		letter.Status = store.OutboxSent
		_ = p.Box.Save(saving, letter, 0)
		return nil
	}
	letter.Status, letter.Error = store.OutboxFailed, p.Reason(err)
	switch metadata.CodeOf(err) {
	case metadata.OutcomeUnknown, metadata.Internal:
		letter.Status = store.OutboxUnknown
	case metadata.ValidationError, metadata.Conflict, metadata.NotFound, metadata.Refused:
		if letter.New {
			return errors.Join(err, Explain(p.Box.Forget(saving, *letter)))
		}
	}
	return errors.Join(err, Explain(p.Box.Save(saving, letter, 0)))
}

// savingTime is the time limit for recording the outcome of an item.
const savingTime = 5 * time.Second
