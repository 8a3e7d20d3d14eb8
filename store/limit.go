package store

import (
	"fmt"
	"time"
)

// What a Pass is for.
const (
	PassSend    = "send"
	PassDestroy = "destroy"
	PassChange  = "change"
	PassAnswer  = "answer" // to an invitation, with a blank and which one
)

// A Limit says how many of a kind are let through in any stretch of time of that
// length, at most 24 hours.
type Limit struct {
	Most  int
	While time.Duration
}

// A LimitedError says which limit was reached, and when there is room again.
type LimitedError struct {
	Limit
	Until time.Time // in UTC
}

// Error says so.
func (e *LimitedError) Error() string {
	return fmt.Sprintf("%d in %v, and no room until %s", e.Most, e.While, e.Until.Format(time.RFC3339))
}
