// Package googletest is a fake Google for tests. It keeps mailboxes as Gmail
// does and calendars as Calendar does, and answers over real HTTP on loopback,
// so that the real Go client runs against it unchanged.
//
// It is strict. Every request is checked against Google's own discovery
// documents, which ship in the module google.golang.org/api: an unknown path,
// parameter or body field, a wrong type, a value outside an enumeration is a
// violation, which fails the test and is answered with 400. What the fake
// answers is checked against the same documents.
//
// Where the documents are silent the fake follows Google's guides
// (developers.google.com/workspace/gmail/api/guides and .../calendar/api/guides):
// threading, search operators, label and draft life cycles, history, series and
// their instances, invitations, batches, partial responses, errors. Faults,
// latency and the clock are the test's to set.
package googletest

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Server is a running fake Google. All its methods may be called from any
// goroutine.
type Server struct {
	report     func(string)
	now        func() time.Time
	keepID     bool
	delegated  bool
	explicit   bool // sendUpdates is wanted of every change of an event with guests
	pending    int  // reads of an event after which a new conference is there
	opaque     bool // ids of events tell nothing
	orphans    bool // exceptions outlive what their series yields
	failing    bool // new conferences fail
	emptyPages bool // of lists of events
	inline     int  // named parts up to so many bytes have no attachmentId
	bodies     int  // unnamed ones beyond so many have one
	services   []*service
	http       http.Server
	listener   net.Listener
	closed     chan struct{}
	closing    sync.Once

	mu          sync.Mutex // guards all below, and the state of the users
	users       map[string]*User
	calendars   map[string]*fakeCalendar // by lower-case id
	etags       uint64
	invitations []Invitation
	groups      map[string][]string // calendars by lower-case address
	unknown     map[string]string   // why freeBusy of a calendar fails, by lower-case id
	tokens      map[string]*token
	grants      map[string]*grant  // by refresh token
	codes       map[string]*code   // by authorization code
	uploads     map[string]*upload // resumable ones under way, by id
	consent     Consent
	expires     time.Duration
	rotate      bool
	testing     bool
	ids         uint64
	faults      []*fault
	latency     time.Duration
	log         []*Request
	units       int
}

// An Option changes how a Server behaves from its start.
type Option func(*Server)

// Clock makes the server take the time from now. The log of requests keeps to
// the real clock.
func Clock(now func() time.Time) Option { return func(s *Server) { s.now = now } }

// KeepMessageID makes sending keep the Message-ID the client supplied. Gmail
// replaces it, and so does the server without this option.
func KeepMessageID() Option { return func(s *Server) { s.keepID = true } }

// InlineUpTo makes named parts of up to so many bytes come inside the message,
// as Gmail does with some small attachments: in body.data, without an
// attachmentId. Without this option every named part has an attachmentId.
func InlineUpTo(size int) Option { return func(s *Server) { s.inline = size } }

// BodiesUpTo makes text of more bytes come under an attachmentId, as the API
// allows ("may be empty when the body data is sent as a separate attachment").
// Without this option all text that is not named comes in body.data.
func BodiesUpTo(size int) Option { return func(s *Server) { s.bodies = size } }

// Delegated makes every client a service account with domain-wide authority,
// to which Google keeps some methods: making aliases and forwarding addresses.
func Delegated() Option { return func(s *Server) { s.delegated = true } }

// New starts a fake Google that lives as long as the test. A violation is an
// error of the test.
func New(tb testing.TB, options ...Option) *Server {
	tb.Helper()
	s, err := Start("127.0.0.1:0", func(violation string) { tb.Errorf("googletest: %s", violation) }, options...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Close)
	return s
}

// Start starts a fake Google for programs. It refuses an address that is not on
// loopback. Violations go to report, which may be called from several goroutines at once.
func Start(addr string, report func(violation string), options ...Option) (*Server, error) {
	services, err := loadServices()
	if err != nil {
		return nil, fmt.Errorf("read discovery documents: %w", err)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	if ip := listener.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		listener.Close()
		return nil, fmt.Errorf("%s is not a loopback address", ip)
	}
	s := &Server{
		report:    report,
		now:       time.Now,
		services:  services,
		listener:  listener,
		closed:    make(chan struct{}),
		users:     map[string]*User{},
		calendars: map[string]*fakeCalendar{},
		groups:    map[string][]string{},
		unknown:   map[string]string{},
		tokens:    map[string]*token{},
		grants:    map[string]*grant{},
		codes:     map[string]*code{},
		uploads:   map[string]*upload{},
		bodies:    math.MaxInt,
		expires:   time.Hour,
	}
	for _, option := range options {
		option(s)
	}
	s.http = http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute}
	go s.http.Serve(listener) // ends with Close
	return s, nil
}

// Close ends the server, and every request that hangs.
func (s *Server) Close() {
	s.closing.Do(func() {
		close(s.closed)
		s.http.Close()
	})
}

// URL returns the base of everything the server serves, such as
// "http://127.0.0.1:4321", without a slash at its end.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Latency makes every HTTP request wait so long before it is looked at. A
// batch waits once.
func (s *Server) Latency(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latency = d
}

// wait pauses for so long, and reports whether the request is still wanted.
func (s *Server) wait(ctx context.Context, d time.Duration) bool {
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
func (s *Server) nextName() string {
	number := strconv.FormatUint(s.nextID(), 32)
	return strings.Repeat("0", 22-len(number)) + number
}

// nextID returns a number no id has had: increasing, as Google's are.
func (s *Server) nextID() uint64 {
	s.ids++
	return 0x18f0a00000000000 + s.ids*0x9e37
}
