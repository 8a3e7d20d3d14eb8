package google

import (
	"context"
	"errors"
	"io"
	"sync"

	"kota/bundles"
)

// What the answers of Google's may hold together, so that no mailbox and no
// calendar fills the memory: JSON takes several times its size when it is read.
const (
	freely     = 512 << 10 // bytes that each call may have at the same time as others
	mostOfCall = 16 << 20  // bytes of a call together, unless one answer of it may have more
)

// A tally counts what calls have had from Google, until they are over. A call
// that gets much gets it alone: others that do wait for its end.
type tally struct {
	mu      sync.Mutex
	had     map[context.Context]int64 // by call
	alone   context.Context           // the call that gets much; nil when none does
	changed chan struct{}             // closed when alone changes
}

// answers is the tally of the process.
var answers = tally{had: map[context.Context]int64{}, changed: make(chan struct{})}

// count notes so many bytes more of the call, and returns their sum.
func (t *tally) count(call context.Context, bytes int64) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.had[call]; !known {
		context.AfterFunc(call, func() { t.forget(call) })
	}
	t.had[call] += bytes
	return t.had[call]
}

// wait returns nil when the call may have much, or ctx's error.
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

// set says which call gets much. t.mu is held.
func (t *tally) set(call context.Context) {
	t.alone = call
	close(t.changed)
	t.changed = make(chan struct{})
}

// forget is called when the call is over.
func (t *tally) forget(call context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.had, call)
	if t.alone == call {
		var nobody context.Context
		t.set(nobody)
	}
}

// errTooMuch is why a call gets no more.
var errTooMuch = errors.New("the call was answered with too much")

// A counted body is that of an answer, and counts in the tally as it is read.
type counted struct {
	io.Reader
	ctx, call context.Context
	most      int64 // that the call may have
	had       int64 // of this answer
}

// countedBody returns the body of the answer to an exchange, which may have limit
// bytes. What is part of no call is not counted.
func countedBody(w *watch, body io.Reader, limit int64) *counted {
	return &counted{Reader: body, ctx: w.ctx, call: bundles.CallOf(w.parent), most: max(mostOfCall, limit)}
}

// Read implements io.Reader. It fails with errTooMuch where the call has had
// enough, and with the context's error where it waits for others for too long.
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

// drop takes the answer out of the count: it is not kept.
func (c *counted) drop() {
	if c.call != nil {
		answers.count(c.call, -c.had)
	}
}
