package transport

// ShareBodyLimit makes e and other count large bodies together, and returns e. Use it for
// endpoints that serve different people in the same process.
func (e *Endpoint) ShareBodyLimit(other *Endpoint) *Endpoint {
	e.largeBodies = other.largeBodies
	return e
}

// Busy reports whether the endpoint serves a request, or a call continues although its client
// is gone. Requests that only listen do not count.
func (e *Endpoint) Busy() bool {
	e.mu.Lock()
	for _, c := range e.stateless {
		if c.hasWork() {
			e.mu.Unlock()
			return true
		}
	}
	e.mu.Unlock()
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	for _, s := range e.sessions.open {
		if s.inUse > s.streams || s.hasWork() {
			return true
		}
	}
	return false
}

// Listeners returns the number of running requests that only listen: the GET of a session,
// and subscriptions/listen.
func (e *Endpoint) Listeners() int { return int(e.listeners.Load()) }

// RequestCount returns the number of requests so far, without pings and requests that only
// listen.
func (e *Endpoint) RequestCount() int64 { return e.requests.Load() }

// TaintState returns the taint of the conversations that may continue at another endpoint:
// all except the sessions that their clients ended.
func (e *Endpoint) TaintState() TaintState {
	var state TaintState
	if e.store != nil {
		return state // the store keeps the taint
	}
	e.mu.Lock()
	for _, c := range e.stateless {
		state.Sessionless = state.Sessionless.join(c.session.Taint())
	}
	e.mu.Unlock()
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	state.Sessions = e.sessions.formerTaint
	for _, s := range e.sessions.open {
		state.Sessions = state.Sessions.join(s.session.Taint())
	}
	return state
}

// RestoreTaint restores the taint of an earlier endpoint. All new sessions get the taint of its
// sessions. The principal's requests without a session get the taint of its requests without a
// session. Call RestoreTaint before the first request.
func (e *Endpoint) RestoreTaint(principal string, state TaintState) {
	if e.store != nil {
		return
	}
	e.sessions.formerTaint = state.Sessions
	if c, ok := e.statelessConn(principal); ok {
		c.session.Inherit(state.Sessionless)
	}
}
