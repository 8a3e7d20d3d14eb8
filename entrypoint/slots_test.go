package entrypoint

import (
	"context"
	"errors"
	"testing"

	"kota/bundles"
	"kota/metadata"
)

// newCall returns a checked call of the tool with that effect.
func newCall(tool string, effect metadata.Effect) *Call {
	return &Call{Session: NewSession(), Action: bundles.Action{Action: metadata.Action{Tool: tool}}, Prepared: bundles.Call{Effect: effect}}
}

func TestRemoteAndLocalCallsHaveSeparateSlots(t *testing.T) {
	all := &Slots{}
	for _, remote := range []bool{true, false} {
		c := newCall("letters_list", metadata.Reads)
		if remote {
			c.Action.Scopes = []string{"read"}
		}
		_, err := all.do(t.Context(), c, func(context.Context, *Call) (any, error) {
			if taken, other := all.remote.taken, all.local.taken; remote && (taken != 1 || other != 0) || !remote && (taken != 0 || other != 1) {
				t.Errorf("away %t: %d places of calls elsewhere and %d of the others are taken", remote, taken, other)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestCallRunsInSlotOfItsTransport(t *testing.T) {
	r := &Router{slots: &Slots{}}
	nothing := func(context.Context, *Call) (any, error) { return nil, nil }
	for range maxConcurrent - 1 {
		r.Acquire(true, nil)
	}
	c := newCall("letters_list", metadata.Reads)
	c.Action.Scopes = []string{"read"}
	c.Slot = r.Acquire(true, nil)
	given := make(chan *Slot, 1)
	if r.Acquire(true, func(s *Slot) { given <- s }) != nil {
		t.Fatal("there are more slots than may be")
	}
	if _, err := r.slots.do(t.Context(), c, nothing); err != nil {
		t.Fatal(err)
	}
	c.Slot.Release() // by the transport; has no effect
	(<-given).Release()
	if got := r.slots.remote.taken; got != maxConcurrent-1 {
		t.Errorf("%d slots are taken, want %d", got, maxConcurrent-1)
	}

	// A call that turns out to use an account does not keep a local slot.
	c = newCall("letters_list", metadata.Reads)
	c.Action.Scopes, c.Slot = []string{"read"}, r.Acquire(false, nil)
	if _, err := r.slots.do(t.Context(), c, nothing); err != nil || r.slots.local.taken != 0 || r.slots.remote.taken != maxConcurrent-1 {
		t.Errorf("%v, %d local slots are taken and %d remote ones", err, r.slots.local.taken, r.slots.remote.taken)
	}

	// A call that stops waiting keeps no slot.
	r.Acquire(true, nil)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	c.Slot = nil
	if _, err := r.slots.do(cancelled, c, nothing); !errors.Is(err, context.Canceled) || len(r.slots.remote.waiting) != 0 {
		t.Errorf("%v, and %d wait", err, len(r.slots.remote.waiting))
	}
}
