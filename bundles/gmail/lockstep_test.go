package gmail_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A lockstep lets requests through in rounds: one round of them leaves when
// all of it has come, and not before. So what passes takes as many round trips
// as there are rounds, however long one is.
type lockstep struct {
	t    *testing.T
	next http.RoundTripper

	mu     sync.Mutex
	rounds [][]string
	come   []string
	leave  chan struct{}
}

// expect sets the rounds of the requests to come, by their names: see nameOf.
func (l *lockstep) expect(rounds ...[]string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rounds, l.come, l.leave = rounds, nil, make(chan struct{})
}

// done fails the test when there are rounds that did not take place.
func (l *lockstep) done() {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rounds) > 0 {
		l.t.Errorf("not asked: %v", l.rounds)
	}
	l.rounds = nil
}

// RoundTrip implements http.RoundTripper.
func (l *lockstep) RoundTrip(r *http.Request) (*http.Response, error) {
	if leave := l.arrive(nameOf(r)); leave != nil {
		select {
		case <-leave:
		case <-time.After(20 * time.Second): // the test has failed: it must not hang as well
			l.t.Errorf("%s waits for others of its round, which do not come", nameOf(r))
		}
	}
	return l.next.RoundTrip(r)
}

// arrive notes a request of the present round, and returns what it has to
// wait for.
func (l *lockstep) arrive(name string) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rounds) == 0 || !slices.Contains(l.rounds[0], name) {
		l.t.Errorf("%s was asked, in the round %v", name, l.rounds)
		return nil
	}
	leave := l.leave
	l.come = append(l.come, name)
	if len(l.come) == len(l.rounds[0]) {
		slices.Sort(l.come)
		slices.Sort(l.rounds[0])
		if !slices.Equal(l.come, l.rounds[0]) {
			l.t.Errorf("a round has %v, want %v", l.come, l.rounds[0])
		}
		l.rounds, l.come, l.leave = l.rounds[1:], nil, make(chan struct{})
		close(leave)
	}
	return leave
}

// nameOf is the last word of a request's path; "message" for one message.
func nameOf(r *http.Request) string {
	_, rest, ok := strings.Cut(r.URL.Path, "/users/me/")
	switch {
	case !ok:
		return "batch"
	case strings.HasPrefix(rest, "messages/"):
		return "message"
	}
	return rest
}
