package transport

// Beside returns a further endpoint of the same server, for somebody else over a
// router of their own: large bodies have their places together, and nothing else
// is shared.
func (e *Endpoint) Beside(other *Endpoint) *Endpoint {
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

// Cautions are what the conversations leave that their clients have not ended: they
// may go on at another endpoint.
func (e *Endpoint) Cautions() Cautions {
	var left Cautions
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

// GoOn has the principal's conversations go on with what those of an earlier endpoint
// of theirs left. It is called before any request is served.
func (e *Endpoint) GoOn(principal string, left Cautions) {
	e.sessions.forgotten = left.Sessions
	if c, ok := e.withoutSession(principal); ok {
		c.session.Inherit(left.Sessionless)
	}
}
