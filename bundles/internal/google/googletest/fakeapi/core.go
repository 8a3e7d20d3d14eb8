package fakeapi

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

// Server is a running fake Google. Its methods are safe for concurrent use, but
// the caller of Account, NextID or NextName must hold Mu.
type Server struct {
	Report   func(string)
	Now      func() time.Time
	services []*Service
	http     http.Server
	listener net.Listener
	closed   chan struct{}
	closing  sync.Once

	Mu       sync.Mutex // guards all fields below, and the state of the users
	Accounts map[string]*Account
	State    map[string]any // the state of each API, by the API's name
	tokens   map[string]*token
	grants   map[string]*grant // by refresh token
	codes    map[string]*code  // by authorization code
	consent  Consent
	expires  time.Duration // the lifetime of new access tokens
	testing  bool          // see SetTestingStatus
	LastID   uint64
	faults   []*fault
	latency  time.Duration
	log      []*Request
	units    int
}

// Start starts a server of these APIs for programs. It refuses an address that
// is not on loopback. Violations go to report, which may be called
// concurrently.
func Start(addr string, report func(violation string), services []*Service, options ...Option) (*Server, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	if ip := listener.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		listener.Close()
		return nil, fmt.Errorf("%s is not a loopback address", ip)
	}
	s := &Server{
		Report:   report,
		Now:      time.Now,
		services: services,
		listener: listener,
		closed:   make(chan struct{}),
		Accounts: map[string]*Account{},
		State:    map[string]any{},
		tokens:   map[string]*token{},
		grants:   map[string]*grant{},
		codes:    map[string]*code{},
		expires:  time.Hour,
	}
	for _, svc := range services {
		s.State[svc.Name] = svc.newServer()
	}
	for _, option := range options {
		option(s)
	}
	s.http = http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute}
	go s.http.Serve(listener) // ends with Close
	return s, nil
}

// Option changes how a server behaves from its start.
type Option func(*Server)

// Close ends the server and every hanging request.
func (s *Server) Close() {
	s.closing.Do(func() {
		close(s.closed)
		s.http.Close()
	})
}

// URL returns the base URL of the server, such as "http://127.0.0.1:4321",
// without a final slash.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// SetLatency delays every HTTP request by d before it is processed. A batch waits
// once.
func (s *Server) SetLatency(d time.Duration) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.latency = d
}

// wait pauses for d. It returns false if the client has gone or the server was
// closed meanwhile.
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

// NextName returns a unique name of 22 letters and digits of base32hex.
func (s *Server) NextName() string {
	number := strconv.FormatUint(s.NextID(), 32)
	return strings.Repeat("0", 22-len(number)) + number
}

// NextID returns a unique number. Numbers increase, as Google's do.
func (s *Server) NextID() uint64 {
	s.LastID++
	return 0x18f0a00000000000 + s.LastID*0x9e37
}

// Account is a person's account at the fake Google.
type Account struct {
	Address string
	Server  *Server
	State   map[string]any // the account's state in each API, by the API's name
}

// Account returns the account with that address. The first call makes it. The
// caller must hold s.Mu.
func (s *Server) Account(address string) *Account {
	key := strings.ToLower(address)
	if s.Accounts[key] == nil {
		u := &Account{Address: address, Server: s, State: map[string]any{}}
		for _, svc := range s.services {
			u.State[svc.Name] = svc.newAccount(s, address)
		}
		s.Accounts[key] = u
	}
	return s.Accounts[key]
}

// Open is Account for a caller that does not hold s.Mu.
func (s *Server) Open(address string) *Account {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Account(address)
}
