package entrypoint

import (
	"context"
	"time"

	"kota/metadata"
)

const (
	refreshTime  = 5 * time.Second        // how long a call waits for its session, such as during a failover
	refreshPause = 100 * time.Millisecond // the pause between two tries
)

// RefreshSession makes the session of a call that may change something take over what other replicas
// know about it. Text that reached the session later cannot have asked for the call. So the state at
// this step also holds for the rest of the call.
//
// If the session cannot be read, the call fails with UNAVAILABLE. If it counted as tainted instead, the
// call would wait for an approval, or store the user's own text as untrusted for good.
func RefreshSession(next Handler) Handler {
	return func(ctx context.Context, c *Call) (any, error) {
		if c.Prepared.Effect != metadata.Reads && !c.Session.IsTainted() {
			if err := c.Session.refreshPatiently(ctx); err != nil {
				return nil, err
			}
		}
		return next(ctx, c)
	}
}

// refreshPatiently is Refresh, and waits as long as a write waits for its database.
func (s *Session) refreshPatiently(ctx context.Context) error {
	for begun := time.Now(); ; {
		err := s.Refresh(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		known := Classify(err)
		switch {
		case known.Code != metadata.Unavailable:
			return &metadata.Error{Code: metadata.Unavailable, Message: "the state of the session cannot be read: nothing was done", Hint: "Repeat the call.", Retryable: true, Cause: err}
		case !known.Retryable || time.Since(begun) > refreshTime:
			return known
		}
		select {
		case <-ctx.Done():
		case <-time.After(refreshPause):
		}
	}
}
