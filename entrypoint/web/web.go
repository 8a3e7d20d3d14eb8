// Package web lets requests in from the network, or does not: it decides where
// KOTA listens, who may come in, how long they may take and how many they may be.
// What they ask is answered by others.
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
)

// What clients may take. A message has its own limits, and so has a call.
const (
	headTime     = 5 * time.Second           // for the line and the headers of a request to arrive
	readTime     = headTime + 10*time.Second // for all of one; the endpoint has its own once it reads
	idleTime     = 2 * time.Minute           // of a connection between two requests
	writeTime    = 30 * time.Second
	maxHead      = 32 << 10 // bytes
	maxConns     = 1024     // at once; who comes then waits
	maxStreams   = 64       // of one connection, over HTTP/2
	shutdownTime = 3 * time.Second
)

// A Server answers requests for an MCP endpoint and for its health.
type Server struct {
	Endpoint http.Handler // at Path, for whoever is admitted
	Path     string       // "/mcp"

	// Admit returns the context of a request with that bearer token, or an error
	// that says in a clause why it is not let in: the token is no good, unless the
	// error is a *Refusal. It is asked about each.
	Admit func(ctx context.Context, token string) (context.Context, error)

	// Resource tells clients where tokens come from, nil where no issuer gives any.
	Resource *Resource

	// Hosts are the names by which requests may come besides those of the listener
	// or its certificate: what a proxy in front is called.
	Hosts []string

	// Ready returns why nothing could be served now. Nobody but the log is told.
	Ready func(context.Context) error

	// Drain ends what Endpoint does, when the serving ends.
	Drain func()

	Log *slog.Logger

	names    names
	draining atomic.Bool
}

// Serve answers requests until ctx is cancelled and what was begun is over, or
// three seconds longer than Drain takes: 7.5 seconds in all where Drain ends an
// entrypoint.Endpoint. It closes the listener.
//
// Requests to Path need a bearer token (RFC 6750) in their header, 401 otherwise.
// All need a Host by which the server may be reached, and, where they have one,
// an Origin of such a host: 403 otherwise, so that no page of a browser gets in by
// a name that leads here (DNS rebinding). /healthz says that the process lives,
// /readyz that it can serve, both without a token and without a detail. Where there
// is a Resource its metadata (RFC 9728) needs no token either.
func (s *Server) Serve(ctx context.Context, l net.Listener, cert *tls.Certificate) error {
	s.names = namesOf(l, cert, s.Hosts)
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headTime,
		ReadTimeout:       readTime,
		IdleTimeout:       idleTime,
		WriteTimeout:      writeTime, // the endpoint has its own
		MaxHeaderBytes:    maxHead,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug), // what clients do wrong
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
	return s.shutdown(server)
}

// shutdown closes the listener at once, and connections when they are idle.
func (s *Server) shutdown(server *http.Server) error {
	s.draining.Store(true)
	drained := make(chan struct{})
	go func() {
		s.Drain()
		close(drained)
	}()
	within, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-drained
		time.AfterFunc(shutdownTime, cancel)
	}()
	err := server.Shutdown(within)
	<-drained
	if errors.Is(err, context.Canceled) {
		return server.Close()
	}
	return err
}
