// Package web decides which requests from the network KOTA accepts. It decides where KOTA
// listens, who is admitted, how long requests may take and how many may run. The
// endpoint behind it answers the accepted requests.
package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/time/rate"
)

// The limits of connections and requests. The endpoint has its own limits for messages and
// calls.
const (
	headerTimeout   = 5 * time.Second                // to read the request line and the headers
	readTimeout     = headerTimeout + 10*time.Second // to read a whole request; the endpoint sets its own when it reads the body
	idleTimeout     = 2 * time.Minute                // between two requests of a connection
	writeTimeout    = 30 * time.Second               // to write an answer; the endpoint sets its own
	maxHeaderBytes  = 32 << 10
	maxConns        = 1024            // connections at the same time; further connections wait
	maxStreams      = 64              // requests at the same time on one HTTP/2 connection
	shutdownTimeout = 3 * time.Second // for running requests after Drain
)

// A Server serves an MCP endpoint and its health checks.
type Server struct {
	Endpoint http.Handler // at Path, for admitted requests
	Path     string       // "/mcp"; "" for a server without an endpoint

	// Console serves the pages for browsers, at ConsolePath and below. It admits people itself; nil
	// for none.
	Console     http.Handler
	ConsolePath string // "/console"

	// Admit returns the context for a request with this bearer token. Its error says in
	// a clause why the server must refuse the request. If the error is not a *Refusal,
	// the token is invalid. The server calls Admit for each request to Path.
	Admit func(ctx context.Context, token string) (context.Context, error)

	// Open lets requests to Path in without a token. Admit is then not called.
	Open bool

	// AnyHost accepts every Host and Origin. No web page can send a token that it does not know, so
	// a server that is not Open stays protected.
	AnyHost bool

	// Resource tells clients where to get tokens; nil if no issuer gives any.
	Resource *Resource

	// Hosts are additional host names that requests may use, for example the name
	// of a proxy. The names in the certificate always work. If the listener has a loopback
	// address, the names of the loopback interface work too.
	Hosts []string

	// Ready returns why the server cannot serve now, or nil. The server only logs the error.
	Ready func(context.Context) error

	// Wrap returns the handler for all requests, which passes them on to next; nil for none.
	Wrap func(next http.Handler) http.Handler

	// Notice is how long the server continues to serve after ctx is cancelled, while /readyz fails. A
	// load balancer needs this time to stop sending requests.
	Notice time.Duration

	// Drain ends the work of Endpoint at shutdown.
	Drain func()

	Log *slog.Logger

	names    hostNames
	draining atomic.Bool
	notReady rate.Sometimes // limits how often the log says why
}

// Serve answers requests until ctx is cancelled, and then for the duration Notice. It then closes
// the listener and waits until running requests have ended, for at most three seconds after Drain
// returns: 7.5 seconds in all without Notice, if Drain ends a transport.Endpoint.
//
// Requests to Path without a bearer token (RFC 6750) in their header get 401. Requests whose
// Host, or Origin if present, does not name this server get 403. This protects from web
// pages that reach the server by a name of their own (DNS rebinding).
//
// /healthz says that the process is alive and /readyz that it can serve. Both need
// no token and give no details. The metadata of Resource (RFC 9728) needs no token.
func (s *Server) Serve(ctx context.Context, l net.Listener, cert *tls.Certificate) error {
	s.notReady.Interval = time.Minute // load balancers ask each second
	s.names = newHostNames(l, cert, s.Hosts)
	server := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		WriteTimeout:      writeTimeout, // the endpoint sets its own
		MaxHeaderBytes:    maxHeaderBytes,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug), // reports mistakes of clients
	}
	l = netutil.LimitListener(l, maxConns)
	if cert != nil {
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*cert}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
		l = tls.NewListener(l, server.TLSConfig)
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	s.draining.Store(true)
	select {
	case err := <-failed:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-time.After(s.Notice):
	}
	return s.shutdown(server)
}

// handler returns the handler of all requests.
func (s *Server) handler() http.Handler {
	if s.Wrap == nil {
		return s
	}
	return s.Wrap(s)
}

// shutdown closes the listener at once, and each connection when it is idle.
func (s *Server) shutdown(server *http.Server) error {
	drained := make(chan struct{})
	go func() {
		s.Drain()
		close(drained)
	}()
	within, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-drained
		time.AfterFunc(shutdownTimeout, cancel)
	}()
	err := server.Shutdown(within)
	<-drained
	if errors.Is(err, context.Canceled) {
		return server.Close()
	}
	return err
}
