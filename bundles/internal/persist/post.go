package persist

import (
	"context"
	"errors"
	"time"

	"kota/bundles/internal/panicsafe"
	"kota/metadata"
	"kota/store"
)

// A Post is how a bundle sends letters by way of the outbox, each at most once
// and by one call at a time of all processes. Errors of the store are explained.
type Post struct {
	Box      OutboxStore
	Since    time.Time                    // when the content alone tells a repeat
	Held     time.Duration                // for how long a letter is held
	Patience time.Duration                // how long one that another call is at is waited for
	Poll     time.Duration                // and how often it is looked at
	Settle   time.Duration                // how long what a process had asked for when it ended may take
	Busy     func(store.OutboxItem) error // says that it was, all that time
	Reason   func(error) string           // what an error says to people
}

// Take returns the letter for want, held where something is left to do for it.
// May is asked first whether what the letter is for may happen, unless it is nil:
// it is told what an earlier call has begun with, the zero Letter where there is
// nothing, and may amend want. It is not asked about a letter that is done, or
// that is another than want. What may was told of is what is taken: where that was
// given up while the user was asked, it is asked anew.
func (p Post) Take(ctx context.Context, want *store.OutboxItem, may func(context.Context, store.OutboxItem) error) (store.OutboxItem, bool, error) {
	if may == nil {
		return p.take(ctx, *want)
	}
	for {
		known, err := p.Box.Find(ctx, *want, p.Since)
		switch {
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return store.OutboxItem{}, false, Explain(err)
		case err == nil && (known.Done() || !known.Is(*want)):
			return known, false, nil
		}
		if err := may(ctx, known); err != nil {
			return store.OutboxItem{}, false, Explain(err)
		}
		letter, held, err := p.take(ctx, *want)
		if err != nil || !letter.New || known.ID == "" {
			return letter, held, err
		}
		if err := p.Box.Forget(ctx, letter); err != nil {
			return store.OutboxItem{}, false, Explain(err)
		}
	}
}

// take is Take without a question. It waits while another call is at the letter.
func (p Post) take(ctx context.Context, want store.OutboxItem) (store.OutboxItem, bool, error) {
	waiting, cancel := context.WithTimeout(ctx, p.Patience)
	defer cancel()
	for {
		letter, held, err := p.Box.ClaimOrCreate(ctx, want, p.Since, p.Held)
		if err == nil && held {
			err = settled(ctx, p.Box, letter, p.Settle)
		}
		if err != nil || held || letter.Done() || !letter.Is(want) {
			return letter, held, Explain(err)
		}
		for letter.Held() && !letter.Done() {
			if panicsafe.Pause(waiting, p.Poll) != nil {
				return letter, false, p.Busy(letter)
			}
			got, err := p.Box.Get(waiting, letter.ID)
			if errors.Is(err, store.ErrNotFound) {
				break // the other call has taken it back
			}
			switch {
			case err != nil && waiting.Err() != nil: // the time ran out in the reading
				return letter, false, p.Busy(letter)
			case err != nil:
				return letter, false, Explain(err)
			}
			letter = got
		}
	}
}

// settled waits until what a dead process had asked for was carried out or never will be,
// and can be looked up. If that is not waited for it gives the letter back.
func settled(ctx context.Context, box OutboxStore, letter store.OutboxItem, wait time.Duration) error {
	if !letter.Orphaned {
		return nil
	}
	err := panicsafe.Pause(ctx, wait)
	if err != nil {
		_ = box.Save(context.WithoutCancel(ctx), &letter, 0) // else its lease runs out
	}
	return err
}

// Carry does what a letter that is held asks for, and writes down before it that
// it begins, and after it what became of it: sent; unknown, with OUTCOME_UNKNOWN or
// INTERNAL; failed. It ends with ctx, which is to outlast the call. That it was
// done is no error where it cannot be written down: the letter stands as being
// sent, and whoever asks next looks first. What cannot be done as it was asked is
// forgotten where it was never tried: its caller knows.
func (p Post) Carry(ctx context.Context, letter *store.OutboxItem, do func(context.Context) error) error {
	letter.Status, letter.Error = store.OutboxSending, ""
	letter.Tries++
	if err := p.Box.Save(ctx, letter, p.Held); err != nil {
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

// savingTime is for writing down what became of a letter.
const savingTime = 5 * time.Second
