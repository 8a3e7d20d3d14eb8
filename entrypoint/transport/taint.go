package transport

import "time"

// A Taint is the state that a conversation passes on to sessions that may continue it.
type Taint struct {
	Tainted bool      // untrusted text reached it
	Began   time.Time // when it began, which limits the people that count as known; zero unless Tainted
}

// join returns the taint of a conversation that may continue either of the two.
func (t Taint) join(other Taint) Taint {
	if !t.Tainted || other.Tainted && other.Began.Before(t.Began) {
		return other
	}
	return t
}

// A TaintState is the taint of an endpoint's conversations. A new session may continue any
// earlier one, so it inherits from all. All calls without a session are one conversation.
type TaintState struct{ Sessions, Sessionless Taint }
