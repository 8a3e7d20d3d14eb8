package googletest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A core is a running fake Google. All its methods may be called from any
// goroutine.
type core struct {
	report    func(string)
	now       func() time.Time
	delegated bool
	services  []*service
	http      http.Server
	listener  net.Listener
	closed    chan struct{}
	closing   sync.Once

	mu      sync.Mutex // guards all below, and the state of the users
	users   map[string]*account
	state   map[string]any // of each API, by its name
	tokens  map[string]*token
	grants  map[string]*grant  // by refresh token
	codes   map[string]*code   // by authorization code
	uploads map[string]*upload // resumable ones under way, by id
	consent Consent
	expires time.Duration
	rotate  bool
	testing bool
	ids     uint64
	faults  []*fault
	latency time.Duration
	log     []*Request
	units   int
}

// launch starts a server of these APIs for programs. It refuses an address that is not on
// loopback. Violations go to report, which may be called from several goroutines at once.
func launch(addr string, report func(violation string), services []*service, options ...Option) (*core, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	if ip := listener.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		listener.Close()
		return nil, fmt.Errorf("%s is not a loopback address", ip)
	}
	s := &core{
		report:   report,
		now:      time.Now,
		services: services,
		listener: listener,
		closed:   make(chan struct{}),
		users:    map[string]*account{},
		state:    map[string]any{},
		tokens:   map[string]*token{},
		grants:   map[string]*grant{},
		codes:    map[string]*code{},
		uploads:  map[string]*upload{},
		expires:  time.Hour,
	}
	for _, svc := range services {
		s.state[svc.Name] = svc.newServer()
	}
	for _, option := range options {
		option(s)
	}
	s.http = http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute}
	go s.http.Serve(listener) // ends with Close
	return s, nil
}

// An Option changes how a server behaves from its start.
type Option func(*core)

// Close ends the server, and every request that hangs.
func (s *core) Close() {
	s.closing.Do(func() {
		close(s.closed)
		s.http.Close()
	})
}

// URL returns the base of everything the server serves, such as
// "http://127.0.0.1:4321", without a slash at its end.
func (s *core) URL() string { return "http://" + s.listener.Addr().String() }

// Latency makes every HTTP request wait so long before it is looked at. A
// batch waits once.
func (s *core) Latency(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latency = d
}

// wait pauses for so long, and reports whether the request is still wanted.
func (s *core) wait(ctx context.Context, d time.Duration) bool {
	if d == 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	case <-s.closed:
		return false
	}
}

// nextName returns a name no other has, of 22 letters and digits of base32hex.
func (s *core) nextName() string {
	number := strconv.FormatUint(s.nextID(), 32)
	return strings.Repeat("0", 22-len(number)) + number
}

// nextID returns a number no id has had: increasing, as Google's are.
func (s *core) nextID() uint64 {
	s.ids++
	return 0x18f0a00000000000 + s.ids*0x9e37
}
