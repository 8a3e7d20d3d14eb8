package google

import (
	"context"
	"errors"
	"io"
	"sync"

	"kota/bundles"
)

// Limits on the bytes that Google's answers hold together, so that no mailbox
// or calendar fills the memory. Decoded JSON takes several times its size.
const (
	freely     = 512 << 10 // bytes for each call, concurrently with others
	mostOfCall = 16 << 20  // bytes for all answers of a call, unless one answer may be larger
)

// tally counts the bytes that running calls have received from Google. Only one
// call at a time may receive many; other such calls wait until it ends.
type tally struct {
	mu      sync.Mutex
	had     map[context.Context]int64 // by call
	alone   context.Context           // the call that receives many bytes; nil without one
	changed chan struct{}             // closed when alone changes
}

// answers is the tally of the process.
var answers = tally{had: map[context.Context]int64{}, changed: make(chan struct{})}

// count adds bytes to the call and returns its total.
func (t *tally) count(call context.Context, bytes int64) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.had[call]; !known {
		context.AfterFunc(call, func() { t.forget(call) })
	}
	t.had[call] += bytes
	return t.had[call]
}

// wait returns nil once the call may receive many bytes, or the error of ctx.
func (t *tally) wait(ctx, call context.Context) error {
	for {
		t.mu.Lock()
		if t.alone == nil && call.Err() == nil {
			t.set(call)
		}
		mine, changed := t.alone == call || call.Err() != nil, t.changed
		t.mu.Unlock()
		if mine {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// set sets the call that may receive many bytes. The caller must hold t.mu.
func (t *tally) set(call context.Context) {
	t.alone = call
	close(t.changed)
	t.changed = make(chan struct{})
}

// forget removes a call that has ended.
func (t *tally) forget(call context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.had, call)
	if t.alone == call {
		var nobody context.Context
		t.set(nobody)
	}
}

// errTooMuch means that a call has reached its limit.
var errTooMuch = errors.New("the call was answered with too much")

// counted is the body of an answer. The tally counts its bytes as they are
// read.
type counted struct {
	io.Reader
	ctx, call context.Context
	most      int64 // of the call
	had       int64 // by this answer
}

// countedBody returns the body of the answer to an exchange, which may have
// limit bytes. Outside a call it counts nothing.
func countedBody(w *watch, body io.Reader, limit int64) *counted {
	return &counted{Reader: body, ctx: w.ctx, call: bundles.CallContext(w.parent), most: max(mostOfCall, limit)}
}

// Read implements io.Reader. It returns errTooMuch if the call has reached its
// limit, and the context's error if it waits for other calls for too long.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if n == 0 || c.call == nil {
		return n, err
	}
	c.had += int64(n)
	switch all := answers.count(c.call, int64(n)); {
	case all > c.most+freely:
		return 0, errTooMuch
	case all > freely:
		if trouble := answers.wait(c.ctx, c.call); trouble != nil {
			return 0, trouble
		}
	}
	return n, err
}

// drop subtracts an answer that is not kept.
func (c *counted) drop() {
	if c.call != nil {
		answers.count(c.call, -c.had)
	}
}
