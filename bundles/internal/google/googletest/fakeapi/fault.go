package fakeapi

import "time"

// Fault is something that goes wrong. Without an Answer and a Status it is only
// a delay.
type Fault struct {
	Method string // discovery id such as "gmail.users.messages.send"; "auth", "token", "revoke" or "batch"; "" for any request
	User   string // the address of the account whose token is used; "" for any
	Nth    int    // the first matching call at which it occurs, counted from 1 since the fault was set; 0 for every call
	Times  int    // the number of matching calls at which it then occurs; 0 means one if Nth is set, else all

	Delay  time.Duration // before the answer
	Answer Answer        // how the answer is broken; 0 means that the real answer or Status is sent

	Status     int    // if not 0, answered instead in Google's envelope; for "token" and "revoke" in OAuth's
	Reason     string // the reason in the envelope, such as "rateLimitExceeded" or "invalid_grant"; "" means that of the Status
	Message    string
	RetryAfter string // header Retry-After: seconds or a date

	// AfterEffect makes the call take effect first: the mail is sent, and its
	// answer is lost. Truncated and Slow need the real answer, so with them the
	// call always takes effect.
	AfterEffect bool

	// OnFault is called each time the fault occurs: after the effect, if there
	// is one, and before the delay and the answer.
	OnFault func()

	Location string // where Redirect leads; the request's path and query are added
	Size     int    // the size of a Huge body in bytes; 0 means 1 GiB
}

// Answer is a way to break an answer.
type Answer int

const (
	Reset     Answer = iota + 1 // the connection is reset before the first byte of the answer
	Hang                        // no answer until the server is closed or the client has gone
	Truncated                   // the body ends in the middle, although its length was given
	Slow                        // the body comes at one byte a second
	Garbage                     // 200 with a body that is not JSON
	HTML                        // Google's HTML error page; its status is the fault's Status, else 200
	BadGzip                     // a body that is declared as gzip but is not
	Redirect                    // 302 to the Location
	Huge                        // 200 with a JSON object that holds a string of Size bytes
)

// fault is a Fault that was set, and its count of calls.
type fault struct {
	Fault
	seen int
}

// Fault sets a fault, and returns a function that removes it. If several faults
// would occur at a call, only the one set first does.
func (s *Server) Fault(f Fault) (withdraw func()) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	added := &fault{Fault: f}
	s.faults = append(s.faults, added)
	return func() {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		for i, other := range s.faults {
			if other == added {
				s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
				return
			}
		}
	}
}

// faultFor counts the request for every matching fault, and returns the first
// that occurs.
func (s *Server) faultFor(method, user string) *Fault {
	var first *Fault
	for _, f := range s.faults {
		if f.Method != "" && f.Method != method || f.User != "" && f.User != user {
			continue
		}
		f.seen++
		if first == nil && f.occursNow() {
			first = &f.Fault
		}
	}
	return first
}

func (f *fault) occursNow() bool {
	first, times := max(f.Nth, 1), f.Times
	if f.Nth > 0 && times == 0 {
		times = 1
	}
	return f.seen >= first && (times == 0 || f.seen < first+times)
}
