package semantic

import (
	"net/http"
	"sync"
	"time"
)

// An Error says why the model or its endpoint returned no usable vectors. It contains neither
// the key nor a text of the user.
type Error struct {
	Status int // the HTTP status; 0 if there was no response
	What   string
}

func (e *Error) Error() string { return e.What }

// refusesTexts reports whether the endpoint works but refused these texts.
func (e *Error) refusesTexts() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusRequestEntityTooLarge || e.Status == http.StatusUnprocessableEntity
}

// pause is how long the client sends no requests after a failure.
const pause = time.Minute

// A breaker prevents repeated requests to a failing endpoint.
type breaker struct {
	now    func() time.Time
	mu     sync.Mutex
	failed *Error
	until  time.Time
}

// allow returns nil if the caller may send a request, and otherwise the last failure. During the
// pause after a failure, no caller may send one. After the pause only one caller may, until it
// reports its outcome or another pause has passed.
func (b *breaker) allow() error {
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
	if failed != nil && failed.refusesTexts() {
		failed = nil
	}
	b.failed, b.until = failed, b.now().Add(pause)
}

// release allows the next caller to send a request. Call it if a request ended without an
// outcome.
func (b *breaker) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until = b.now()
}
