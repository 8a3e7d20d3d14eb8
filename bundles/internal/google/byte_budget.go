package google

import (
	"context"
	"errors"
	"io"
	"sync"

	"kota/bundles"
)

// These limit the total size of Google's answers, so that no mailbox or calendar
// fills the memory. Decoded JSON takes several times its size.
const (
	freeBytes    = 512 << 10 // bytes for each call, concurrently with others
	maxCallBytes = 16 << 20  // further bytes for all answers of a call; a larger limit of an answer replaces it
)

// byteBudget counts the bytes that running calls have received from Google.
// Only one call at a time may receive more than freeBytes; other such calls
// wait until it ends.
type byteBudget struct {
	mu        sync.Mutex
	received  map[context.Context]int64 // bytes by call
	exclusive context.Context           // the call that may receive more than freeBytes; nil if there is none
	changed   chan struct{}             // closed when exclusive changes
}

// processBudget counts for the whole process.
var processBudget = byteBudget{received: map[context.Context]int64{}, changed: make(chan struct{})}

// count adds bytes to the call and returns its total.
func (t *byteBudget) count(call context.Context, bytes int64) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.received[call]; !known {
		context.AfterFunc(call, func() { t.forget(call) })
	}
	t.received[call] += bytes
	return t.received[call]
}

// wait returns nil once the call may receive more than freeBytes or has ended,
// and the error of ctx if ctx ends first.
func (t *byteBudget) wait(ctx, call context.Context) error {
	for {
		t.mu.Lock()
		if t.exclusive == nil && call.Err() == nil {
			t.setExclusive(call)
		}
		mayReceive, changed := t.exclusive == call || call.Err() != nil, t.changed
		t.mu.Unlock()
		if mayReceive {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// setExclusive sets the call that may receive more than freeBytes. The caller
// must hold t.mu.
func (t *byteBudget) setExclusive(call context.Context) {
	t.exclusive = call
	close(t.changed)
	t.changed = make(chan struct{})
}

// forget removes a call that has ended.
func (t *byteBudget) forget(call context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.received, call)
	if t.exclusive == call {
		var nobody context.Context
		t.setExclusive(nobody)
	}
}

// errTooMuch means that a call has reached its limit.
var errTooMuch = errors.New("the answers from Google are too large for one call")

// countingBody is the body of an answer. processBudget counts its bytes as they
// are read.
type countingBody struct {
	io.Reader
	ctx, call context.Context
	max       int64 // bytes that all answers of the call may have beyond freeBytes
	received  int64 // bytes of this answer
}

// newCountingBody returns a reader that counts the bytes of a response body
// toward the limit of the current call. That limit is maxCallBytes, or limit if
// that is larger, plus freeBytes. Outside a call it counts nothing.
func newCountingBody(w *watch, body io.Reader, limit int64) *countingBody {
	return &countingBody{Reader: body, ctx: w.ctx, call: bundles.CallContext(w.parent), max: max(maxCallBytes, limit)}
}

// Read implements io.Reader. It returns errTooMuch if the call has reached its
// limit, and the context's error if it waits for other calls for too long.
func (c *countingBody) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if n == 0 || c.call == nil {
		return n, err
	}
	c.received += int64(n)
	switch total := processBudget.count(c.call, int64(n)); {
	case total > c.max+freeBytes:
		return 0, errTooMuch
	case total > freeBytes:
		if err := processBudget.wait(c.ctx, c.call); err != nil {
			return 0, err
		}
	}
	return n, err
}

// discard subtracts the bytes of an answer that is not kept.
func (c *countingBody) discard() {
	if c.call != nil {
		processBudget.count(c.call, -c.received)
	}
}
