package transport

import "time"

// A Taint is what a conversation passes on to those that may continue it.
type Taint struct {
	Tainted bool      // untrusted text came into it
	Began   time.Time // when it began; people it reached are not known by that. Zero unless Tainted
}

// join returns the taint of a conversation that may continue either.
func (t Taint) join(other Taint) Taint {
	if !t.Tainted || other.Tainted && other.Began.Before(t.Began) {
		return other
	}
	return t
}

// A TaintState is the taint of the conversations of an endpoint. Nobody can tell
// which session continues which, so each new one inherits from all. Calls without
// a session are one conversation.
type TaintState struct{ Sessions, Sessionless Taint }
