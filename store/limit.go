package store

import (
	"fmt"
	"time"
)

// The kinds of calls that a Limit counts.
const (
	KindSend    = "send"
	KindDestroy = "destroy"
	KindChange  = "change"
	KindAnswer  = "answer" // an answer to an invitation; the stored kind is "answer ACCOUNT EVENT"
)

// A Limit allows Max calls of a kind in any period of length Window. Window is at most
// 24 hours.
type Limit struct {
	Max    int
	Window time.Duration
}

// A LimitError says which limit was reached, and when the next call is allowed.
type LimitError struct {
	Limit
	RetryAt time.Time // in UTC
}

// Error names the limit and RetryAt.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the limit of %d in %v is reached; the next call is allowed at %s", e.Max, e.Window, e.RetryAt.Format(time.RFC3339))
}
