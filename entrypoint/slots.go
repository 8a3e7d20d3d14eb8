package entrypoint

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"kota/metadata"
)

// maxConcurrent is the maximum number of calls of one kind that run at the same time.
// Calls to a remote account and local calls have separate limits, so that local calls
// do not wait if Google does not answer.
const maxConcurrent = 24

// Slots limits how many calls run at the same time. Each call needs one slot.
type Slots struct{ remote, local lane }

// A lane has the slots of one kind of call.
type lane struct {
	mu      sync.Mutex
	taken   int
	waiting []*waiter // in order of arrival
}

// A waiter gets the next free slot.
type waiter struct{ onFree func(*Slot) }

// acquire returns a slot. If none is free, it returns a waiter instead, and onFree gets
// a slot later in a new goroutine.
func (l *lane) acquire(onFree func(*Slot)) (*Slot, *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken < maxConcurrent {
		l.taken++
		return &Slot{lane: l}, nil
	}
	w := &waiter{onFree}
	l.waiting = append(l.waiting, w)
	return nil, w
}

// release gives a slot to the first waiter, or frees it if nobody waits.
func (l *lane) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		l.taken--
		return
	}
	first := l.waiting[0]
	l.waiting = slices.Delete(l.waiting, 0, 1)
	go first.onFree(&Slot{lane: l})
}

// cancelWait removes the waiter. It reports false if the waiter already got a slot.
func (l *lane) cancelWait(w *waiter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.waiting, w)
	if i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
	}
	return i >= 0
}

// wait returns a slot as soon as one is free.
func (l *lane) wait(ctx context.Context) (*Slot, error) {
	given := make(chan *Slot, 1)
	s, w := l.acquire(func(s *Slot) { given <- s })
	if s != nil {
		return s, nil
	}
	select {
	case s = <-given:
		return s, nil
	case <-ctx.Done():
		if !l.cancelWait(w) {
			(<-given).free()
		}
		return nil, fmt.Errorf("wait for other calls: %w", ctx.Err())
	}
}

// A Slot lets one call run. A transport takes a slot with Acquire before it begins the call.
// For a call without a slot, the router takes one: see Slots.Run.
type Slot struct {
	lane  *lane
	state atomic.Int32
}

const (
	slotOffered int32 = iota // no call runs in it yet
	slotUsed                 // its call has not ended, but may have been answered
	slotFreed
)

// Release gives back a slot in which no call has begun to run.
func (s *Slot) Release() {
	if s.state.CompareAndSwap(slotOffered, slotFreed) {
		s.lane.release()
	}
}

// use takes the slot for a call and reports whether it was still free.
func (s *Slot) use() bool { return s.state.CompareAndSwap(slotOffered, slotUsed) }

// free gives the slot back, once.
func (s *Slot) free() {
	if s.state.Swap(slotFreed) != slotFreed {
		s.lane.release()
	}
}

// ReleaseSlot gives back the slot of the call, if it has one. Use it before a long wait, for
// example for the user's answer.
func (c *Call) ReleaseSlot() {
	if c.Slot != nil {
		c.Slot.free()
	}
}

// Acquire returns a slot for a remote call, which works on an account, or for a local
// call. If no slot is free, it returns nil, and onFree gets one later in a new goroutine.
func (r *Router) Acquire(remote bool, onFree func(*Slot)) *Slot {
	s, _ := r.slots.lane(remote).acquire(onFree)
	return s
}

func (slots *Slots) lane(remote bool) *lane {
	if remote {
		return &slots.remote
	}
	return &slots.local
}

// Run carries out a call in a slot of its kind, and waits until one is free. A nested
// call uses the slot of its outer call. Only a remote call inside a local call cannot
// use that slot. It gives the slot back for good, so that no call waits while it holds
// one.
func (slots *Slots) Run(next Handler) Handler {
	return func(ctx context.Context, c *Call) (any, error) { return slots.do(ctx, c, next) }
}

func (slots *Slots) do(ctx context.Context, c *Call, next Handler) (any, error) {
	wanted, held := slots.lane(usesAccount(c.Action.Action)), c.Slot
	fits := held != nil && (held.lane == &slots.remote || held.lane == wanted)
	if fits && c.nested {
		return next(ctx, c)
	}
	if fits && held.use() {
		defer held.free()
		return next(ctx, c)
	}
	if held != nil {
		held.free()
	}
	s, err := wanted.wait(ctx)
	if err != nil {
		return nil, err
	}
	s.use()
	defer s.free()
	c.Slot = s
	defer func() { c.Slot = held }()
	return next(ctx, c)
}

// usesAccount reports whether the action works on a remote account.
func usesAccount(a metadata.Action) bool { return len(a.Scopes) > 0 }
