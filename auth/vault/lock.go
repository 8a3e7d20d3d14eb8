package vault

import (
	"bytes"
	"context"
	"crypto/rand"
	"time"
)

const (
	LockKind = "lock" // of rows that say which server holds a lock
	// lockTime is the maximum time that a lock is held. A waiter measures it with its own clock. It is
	// longer than a request to Google.
	lockTime = 40 * time.Second
	// lockPoll is how often a waiter looks.
	lockPoll = 50 * time.Millisecond
	// unlockTime is the time limit for giving a lock back.
	unlockTime = 5 * time.Second
)

// Lock waits until no other server has the lock of that name, as long as ctx allows. If the holder
// stopped without giving it back, Lock takes it after lockTime.
func (v *Vault) Lock(ctx context.Context, name string) (unlock func(), err error) {
	mine := make([]byte, 16)
	rand.Read(mine) // it never fails
	seen, since := []byte(nil), time.Time{}
	for {
		row, err := v.rows.Get(ctx, LockKind, name)
		if err != nil {
			return nil, err
		}
		switch {
		case row == nil, bytes.Equal(row.Sealed, seen) && time.Since(since) > lockTime:
			taken, err := v.take(ctx, name, seen, mine)
			if err != nil {
				return nil, err
			}
			if taken {
				return func() { v.unlock(ctx, name, mine) }, nil
			}
		case !bytes.Equal(row.Sealed, seen):
			seen, since = row.Sealed, time.Now()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// take takes a lock that is free or still has the holder that kept it too long.
func (v *Vault) take(ctx context.Context, name string, expired, mine []byte) (taken bool, err error) {
	err = v.rows.Update(ctx, LockKind, name, func(row *Row) (*Row, error) {
		taken = row == nil || bytes.Equal(row.Sealed, expired) || bytes.Equal(row.Sealed, mine)
		if !taken {
			return row, nil
		}
		return &Row{Sealed: mine}, nil
	})
	return taken, err
}

// unlock removes the lock, unless another server has it meanwhile.
func (v *Vault) unlock(ctx context.Context, name string, mine []byte) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unlockTime)
	defer cancel()
	_ = v.rows.Update(ctx, LockKind, name, func(row *Row) (*Row, error) { // if it fails, others wait for lockTime
		if row != nil && bytes.Equal(row.Sealed, mine) {
			return nil, nil
		}
		return row, nil
	})
}
