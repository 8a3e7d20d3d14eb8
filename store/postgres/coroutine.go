package postgres

import (
	"errors"
	"fmt"
	"iter"

	"kota/store/engine"
)

// A coroutine runs a function that stops where it needs the server. So the functions of several
// tenants can stop together, and one trip serves them all. Only one coroutine of a group runs at a
// time.
type coroutine struct {
	tx     *Tx
	ended  bool  // the function has returned, or has ended its goroutine
	err    error // what the function returned
	resume func() (struct{}, bool)
	cancel func()
}

// newCoroutine returns a coroutine that has not started.
func newCoroutine(tx *Tx, run func(engine.Tx) error) *coroutine {
	c := &coroutine{tx: tx}
	c.resume, c.cancel = iter.Pull(func(yield func(struct{}) bool) {
		tx.stop = func() bool { return yield(struct{}{}) }
		defer func() { c.ended = true }()
		c.err = errGoexit
		c.err = recovered(tx, run)
		if c.err == nil {
			c.err = tx.failed
		}
		tx.fail(errEnded)
	})
	return c
}

// errGoexit is the error of a write that has called runtime.Goexit.
var errGoexit = errors.New("the write ended its goroutine")

// errEnded is the error of a Tx whose write has ended.
var errEnded = errors.New("the transaction has ended")

// recovered runs a function and returns a panic as an error: it must not end the lane.
func recovered(tx *Tx, run func(engine.Tx) error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("write panicked: %v", cause)
		}
	}()
	return run(tx)
}

// proceed runs the function until it needs the server. It returns false if the function has ended.
func (c *coroutine) proceed() bool {
	_, stopped := c.resume()
	return stopped
}

// abandon lets the function end: every call of its Tx returns err.
func (c *coroutine) abandon(err error) {
	c.tx.fail(err)
	c.cancel()
}
