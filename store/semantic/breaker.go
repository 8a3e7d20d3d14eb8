package semantic

import (
	"net/http"
	"sync"
	"time"
)

// An Error says why the endpoint gave no vectors, in words that hold neither
// the key nor a text.
type Error struct {
	Status int // of HTTP; 0 when there was no answer
	What   string
}

func (e *Error) Error() string { return e.What }

// ofTheTexts reports whether the endpoint is well and refused these texts.
func (e *Error) ofTheTexts() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusRequestEntityTooLarge || e.Status == http.StatusUnprocessableEntity
}

// pause is how long nothing is asked after a failure.
const pause = time.Minute

// A breaker keeps a failing endpoint from being asked over and over.
type breaker struct {
	now    func() time.Time
	mu     sync.Mutex
	failed *Error
	until  time.Time
}

// pass returns the last failure during the pause after it. The first caller
// after that passes alone: the others wait for what it will report.
func (b *breaker) pass() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil {
		return nil
	}
	if b.now().Before(b.until) {
		return b.failed
	}
	b.until = b.now().Add(pause)
	return nil
}

func (b *breaker) report(failed *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if failed != nil && failed.ofTheTexts() {
		failed = nil
	}
	b.failed, b.until = failed, b.now().Add(pause)
}

// leave lets the next caller pass instead of one that left without an outcome.
func (b *breaker) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until = b.now()
}
