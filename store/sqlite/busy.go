package sqlite

import (
	"context"
	"errors"
	"time"

	"kota/store"
)

const (
	busyLimit = 30 * time.Second // how long a write waits for other processes
	busyPoll  = "100"            // how long SQLite itself waits, in milliseconds, before retryBusy checks ctx
)

// retryBusy calls fn until it returns anything other than a busy error. It stops after
// busyLimit, when ctx ends, and when stop is closed; stop may be nil. SQLite itself does not
// always wait: changing the journal mode fails immediately.
func retryBusy(ctx context.Context, stop <-chan struct{}, fn func() error) error {
	deadline := time.Now().Add(busyLimit)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := fn()
		if err == nil || !errors.Is(Classify(err), store.ErrBusy) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-stop:
			return errors.Join(store.ErrClosed, err)
		case <-time.After(pause):
		}
	}
}
