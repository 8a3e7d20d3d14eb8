package entrypoint

// Beside returns a further endpoint of the same server, for somebody else over a
// router of their own: large bodies have their places together, and nothing else
// is shared.
func (e *Endpoint) Beside(other *Endpoint) *Endpoint {
	e.large = other.large
	return e
}

// Busy reports whether a request is being served, or a call runs on although its
// client is gone.
func (e *Endpoint) Busy() bool {
	e.mu.Lock()
	for _, c := range e.stateless {
		if c.owes() {
			e.mu.Unlock()
			return true
		}
	}
	e.mu.Unlock()
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	for _, s := range e.sessions.open {
		if e.sessions.busy(s) {
			return true
		}
	}
	return false
}

// Tainted reports whether text from strangers came into a conversation that its
// client has not ended: it may go on at another endpoint.
func (e *Endpoint) Tainted() bool {
	e.mu.Lock()
	for _, c := range e.stateless {
		if tainted(c.calls) {
			e.mu.Unlock()
			return true
		}
	}
	e.mu.Unlock()
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	for _, s := range e.sessions.open {
		if tainted(s.calls) {
			return true
		}
	}
	return e.sessions.tainted
}

// Taint has every conversation that begins here count as one into which text from
// strangers came. It is called before any request is served.
func (e *Endpoint) Taint() { e.begunTainted, e.sessions.tainted = true, true }
