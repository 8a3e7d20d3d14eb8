package main

import (
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"

	"kota/bundles/gmail"
)

// listServer is a server of mailing lists on this machine.
type listServer struct {
	*httptest.Server
	gate atomic.Pointer[gateway] // in front of it; nil without one

	mu    sync.Mutex
	asked map[string]int // by path
}

func newListServer() *listServer {
	s := &listServer{asked: map[string]int{}}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note := func() func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.asked[r.URL.Path]++
			return func() {}
		}
		if gate := s.gate.Load(); gate != nil {
			gate.forward(note)
			return
		}
		note()
	}))
	return s
}

// requestCount returns how often a path was requested.
func (s *listServer) requestCount(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[path]
}

// localPoster returns a poster that can reach only the list servers on this
// machine.
func localPoster() gmail.Poster {
	server := httptest.NewTLSServer(http.NotFoundHandler()) // they all have the same certificate
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return gmail.Poster{Roots: roots, Allows: func(to netip.AddrPort) bool { return to.Addr().IsLoopback() }}
}
