package fakeapi

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// Lockstep lets requests through in rounds: it holds each request until all
// requests of its round have arrived. The test then takes as many round trips
// as there are rounds.
type Lockstep struct {
	TB   testing.TB
	Next http.RoundTripper
	Name func(*http.Request) string // a test's name for the request

	mu      sync.Mutex
	rounds  [][]string
	arrived []string
	release chan struct{}
}

// Expect sets the rounds of the requests to come, by their names.
func (l *Lockstep) Expect(rounds ...[]string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rounds, l.arrived, l.release = rounds, nil, make(chan struct{})
}

// Done fails the test if some rounds did not take place.
func (l *Lockstep) Done() {
	l.TB.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rounds) > 0 {
		l.TB.Errorf("not asked: %v", l.rounds)
	}
	l.rounds = nil
}

// RoundTrip implements http.RoundTripper.
func (l *Lockstep) RoundTrip(r *http.Request) (*http.Response, error) {
	if released := l.arrive(l.Name(r)); released != nil {
		select {
		case <-released:
		case <-time.After(20 * time.Second): // the test has failed and must not hang as well
			l.TB.Errorf("%s waits for others of its round, which do not come", l.Name(r))
		}
	}
	return l.Next.RoundTrip(r)
}

// arrive records a request of the current round. It returns the channel for
// which the request must wait, or nil for an unexpected request.
func (l *Lockstep) arrive(name string) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rounds) == 0 || !slices.Contains(l.rounds[0], name) {
		l.TB.Errorf("%s was asked, in the round %v", name, l.rounds)
		return nil
	}
	released := l.release
	l.arrived = append(l.arrived, name)
	if len(l.arrived) == len(l.rounds[0]) {
		slices.Sort(l.arrived)
		slices.Sort(l.rounds[0])
		if !slices.Equal(l.arrived, l.rounds[0]) {
			l.TB.Errorf("a round has %v, want %v", l.arrived, l.rounds[0])
		}
		l.rounds, l.arrived, l.release = l.rounds[1:], nil, make(chan struct{})
		close(released)
	}
	return released
}
