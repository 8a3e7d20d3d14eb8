package fakeapi

import "time"

// A Fault is something that goes wrong. Without an Answer and a Status it is a
// delay alone.
type Fault struct {
	Method string // discovery id such as "gmail.users.messages.send"; "auth", "token", "revoke" or "batch"; "" is any request
	User   string // address of the account whose token asks; "" is any
	Nth    int    // which matching call it befalls, counted from 1 when the fault is set; 0 is every one
	Times  int    // how many calls it befalls from then on; 0 is one with Nth, every one without

	Delay  time.Duration // waited before the answer
	Answer Answer        // how the answer is spoilt; 0 is not at all, or the Status

	Status     int    // answered in Google's envelope instead, if it is not 0; for "token" and "revoke" in OAuth's
	Reason     string // of the envelope, such as "rateLimitExceeded" or "invalid_grant"; "" is what goes with the Status
	Message    string
	RetryAfter string // header Retry-After: seconds or a date

	// AfterEffect lets the call take its effect first: the mail is sent, its
	// answer lost. Answers that spoil a real one do so anyway.
	AfterEffect bool

	// Strikes is called each time the fault befalls a call: after the effect,
	// if there is one, and before the delay and the answer.
	Strikes func()

	Location string // where Redirect leads; the request's path and query are added
	Size     int    // of a Huge body in bytes; 0 is 1 GiB
}

// An Answer is a way in which an answer is spoilt.
type Answer int

const (
	Reset     Answer = iota + 1 // the connection is reset before a byte was answered
	Hang                        // nothing is answered until the server is closed or the client gone
	Truncated                   // the body ends in its middle, though its length was told
	Slow                        // the body comes at one byte a second
	Garbage                     // 200 with a body that is no JSON
	HTML                        // Google's HTML error page; its status is the fault's Status, else 200
	BadGzip                     // a body that claims to be gzip and is not
	Redirect                    // 302 to the Location
	Huge                        // 200 with a JSON string of Size bytes
)

// A fault is a Fault that was set, and what it has seen.
type fault struct {
	Fault
	seen int
}

// Fault sets a fault, and returns the function that takes it back. Where
// several match a call, the one set first befalls it.
func (s *Server) Fault(f Fault) (withdraw func()) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	set := &fault{Fault: f}
	s.faults = append(s.faults, set)
	return func() {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		for i, other := range s.faults {
			if other == set {
				s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
				return
			}
		}
	}
}

// faultFor counts the request on every matching fault, and returns the first that befalls it.
func (s *Server) faultFor(method, user string) *Fault {
	var befalls *Fault
	for _, f := range s.faults {
		if f.Method != "" && f.Method != method || f.User != "" && f.User != user {
			continue
		}
		f.seen++
		if befalls == nil && f.due() {
			befalls = &f.Fault
		}
	}
	return befalls
}

func (f *fault) due() bool {
	first, times := max(f.Nth, 1), f.Times
	if f.Nth > 0 && times == 0 {
		times = 1
	}
	return f.seen >= first && (times == 0 || f.seen < first+times)
}
