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

// allow returns no error if the caller may send a request, and otherwise the last failure. During
// the pause after a failure, no caller may send one. After the pause only one caller may, the
// probe, until it reports its outcome or another pause has passed.
func (b *breaker) allow() (isProbe bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil {
		return false, nil
	}
	if b.now().Before(b.until) {
		return false, b.failed
	}
	b.until = b.now().Add(pause)
	return true, nil
}

func (b *breaker) report(failed *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if failed != nil && failed.refusesTexts() {
		failed = nil
	}
	b.failed, b.until = failed, b.now().Add(pause)
}

// release makes the next caller the probe. Call it if the probe ended without an outcome.
func (b *breaker) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until = b.now()
}
