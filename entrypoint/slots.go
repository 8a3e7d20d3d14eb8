package entrypoint

import (
	"context"
	"fmt"
	"sync"

	"kota/metadata"
)

// maxConcurrent is how many calls run at the same time of those that work on an account
// elsewhere, and of the others: a Google that does not answer holds up nobody
// who does not ask it.
const maxConcurrent = 24

// slots are what calls need to run, one each.
type slots struct{ remote, local chan struct{} }

func newSlots() slots {
	return slots{make(chan struct{}, maxConcurrent), make(chan struct{}, maxConcurrent)}
}

// A slot is held by one call.
type slot struct {
	among   chan struct{}
	release sync.Once
}

// free gives the slot back, once.
func (s *slot) free() { s.release.Do(func() { <-s.among }) }

// releaseSlot gives back the slot that the call in ctx holds, if it does: what
// it still does waits for somebody else.
func releaseSlot(ctx context.Context) {
	if c := callOf(ctx); c != nil && c.slot != nil {
		c.slot.free()
	}
}

// withSlot carries out a call in a slot of its kind, and waits for one. What runs
// on behalf of a call has that one's, unless it works on an account and the call
// does not: then the call's is given back for good, so that nobody waits holding one.
func (r *Router) withSlot(next Handler) Handler {
	return func(ctx context.Context, c *Call) (any, error) { return r.slots.do(ctx, c, next) }
}

func (all slots) do(ctx context.Context, c *Call, next Handler) (any, error) {
	among, held := all.local, c.slot
	if usesAccount(c.Action.Action) {
		among = all.remote
	}
	if held != nil && (held.among == all.remote || among == all.local) {
		return next(ctx, c)
	}
	if held != nil {
		held.free()
	}
	select {
	case among <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for other calls: %w", ctx.Err())
	}
	s := &slot{among: among}
	defer s.free()
	c.slot = s
	defer func() { c.slot = held }()
	return next(ctx, c)
}

// usesAccount reports whether the action works on an account elsewhere.
func usesAccount(a metadata.Action) bool { return len(a.Scopes) > 0 }
