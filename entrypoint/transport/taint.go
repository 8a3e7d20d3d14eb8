package transport

import "time"

// A Taint is the state that a session inherits if it may continue a conversation.
type Taint struct {
	Tainted bool      // untrusted text reached the conversation
	Began   time.Time // when the conversation began, which limits the people that count as known; zero if it is unknown
}

// join returns the taint of a session that may continue a conversation with either taint.
func (t Taint) join(other Taint) Taint {
	if !t.Tainted || other.Tainted && other.Began.Before(t.Began) {
		return other
	}
	return t
}

// A TaintState is the taint of an endpoint's conversations. A new session may continue any
// earlier session, so it inherits their joined taint. All calls without a session are one
// conversation.
type TaintState struct{ Sessions, Sessionless Taint }
