package store

import (
	"fmt"
	"time"
)

// The kinds of calls that a Pass allows.
const (
	PassSend    = "send"
	PassDestroy = "destroy"
	PassChange  = "change"
	PassAnswer  = "answer" // an answer to an invitation; the account and the event follow, after blanks
)

// A Limit allows Most calls of a kind in any period of length While, at most 24 hours.
type Limit struct {
	Most  int
	While time.Duration
}

// A LimitedError says which limit was reached, and when the next call is allowed.
type LimitedError struct {
	Limit
	Until time.Time // in UTC
}

// Error names the limit and that time.
func (e *LimitedError) Error() string {
	return fmt.Sprintf("%d in %v, and no room until %s", e.Most, e.While, e.Until.Format(time.RFC3339))
}
