package transport

// ShareBodyLimit makes the endpoint, which serves another person in the same
// process, count large bodies together with the other one. It shares nothing else.
func (e *Endpoint) ShareBodyLimit(other *Endpoint) *Endpoint {
	e.large = other.large
	return e
}

// Busy reports whether a request is being served, or a call runs on although its
// client is gone. Those who only listen do not count.
func (e *Endpoint) Busy() bool {
	e.mu.Lock()
	for _, c := range e.stateless {
		if c.works() {
			e.mu.Unlock()
			return true
		}
	}
	e.mu.Unlock()
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	for _, s := range e.sessions.open {
		if s.inUse > s.streams || s.works() {
			return true
		}
	}
	return false
}

// Listeners returns how many requests are being served that only listen: the GET
// of a session, and subscriptions/listen.
func (e *Endpoint) Listeners() int { return int(e.listeners.Load()) }

// Works returns how many requests were begun that do more than listen, or ask whether
// somebody is there.
func (e *Endpoint) Works() int64 { return e.works.Load() }

// TaintState returns the taint of the conversations that their clients have not
// ended: they may continue at another endpoint.
func (e *Endpoint) TaintState() TaintState {
	var left TaintState
	e.mu.Lock()
	for _, c := range e.stateless {
		left.Sessionless = left.Sessionless.join(c.session.Taint())
	}
	e.mu.Unlock()
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	left.Sessions = e.sessions.forgotten
	for _, s := range e.sessions.open {
		left.Sessions = left.Sessions.join(s.session.Taint())
	}
	return left
}

// RestoreTaint taints the principal's conversations as those of an earlier endpoint
// were. It is called before any request is served.
func (e *Endpoint) RestoreTaint(principal string, left TaintState) {
	e.sessions.forgotten = left.Sessions
	if c, ok := e.withoutSession(principal); ok {
		c.session.Inherit(left.Sessionless)
	}
}
