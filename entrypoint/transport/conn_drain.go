package transport

import "time"

const (
	notBegun   = "the server is shutting down; this request was not started"
	unfinished = "the server shut down before this request was finished; it may have taken effect, so check before you repeat it"
)

// drain accepts no more calls and waits for accepted calls. They have the time grace, or less
// if stopEarly is closed. Then drain cancels their contexts and waits for at most yieldGrace.
// It sends an error as the answer to each request that still has no answer.
func (c *conn) drain(grace time.Duration, stopEarly <-chan struct{}) {
	c.refuseCalls()
	c.wait(grace, stopEarly)
	c.stopStarting()
	c.cancelCalls()
	c.wait(yieldGrace, nil)
	c.answerUnfinished()
	c.wait(flushGrace, nil)
}

// refuseCalls refuses further calls. It ends the client's subscriptions and open questions,
// because the client will not end them any more.
func (c *conn) refuseCalls() {
	c.session.Close()
	c.questions.close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	c.hasSpace.Broadcast()
	c.closeIfIdle()
	for _, call := range c.open {
		if call.Method == methodListen && call.cancel != nil {
			call.cancel()
		}
	}
}

// wait returns when nothing is pending, when stopEarly is closed, or after the time d.
func (c *conn) wait(d time.Duration, stopEarly <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.idle:
	case <-timer.C:
	case <-stopEarly:
	}
}

func (c *conn) stopStarting() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.stopped = true
}

// answerUnfinished answers every request that has no answer yet, in no particular order.
func (c *conn) answerUnfinished() {
	c.mu.Lock()
	defer c.mu.Unlock()
	var answers []func()
	for _, call := range c.open {
		begun, reason := call.cancel != nil, notBegun
		if begun {
			reason = unfinished
		}
		c.log.Warn("request not finished at shutdown", "method", call.Method, "begun", begun)
		line := ErrorLine(call.ID, internalError, reason)
		answers = append(answers, func() { call.answer(line, c.removeWritten) })
		c.pending++
		c.remove(call)
	}
	clear(c.open)
	go func() {
		for _, answer := range answers {
			answer()
		}
	}()
}
