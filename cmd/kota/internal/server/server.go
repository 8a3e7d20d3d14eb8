// Package server serves MCP. Stdio serves the client that started the program,
// on stdin and stdout. HTTP serves several tenants, who share no data; a Pool
// holds those that are open at the same time. Begin with Stdio and HTTP.
package server

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/console/access"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/tenant"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/web"
)

// Stdio serves the client that started the program, until stdin ends or ctx is
// cancelled.
func Stdio(ctx context.Context, a *app.App, router *entrypoint.Router) error {
	if term.IsTerminal(a.Stdin) {
		fmt.Fprintln(a.Stderr, "kota serve waits for an MCP client on stdin. Run `kota` to see how to connect one; Ctrl-D ends it.")
	}
	server := mcpserver.New(router, a.ServerOptions(ctx, a.Config.Expose))
	return server.ServeStdio(ctx, a.Stdin, a.Stdout, a.Log)
}

// HTTPOptions says where HTTP listens and how it ends.
type HTTPOptions struct {
	Address string
	Metrics string // the address of the metrics; "" for none

	// Drain is how long HTTP takes to end at most, except for mail that is being sent. In the first
	// fifth it serves on while /readyz fails, so that a load balancer turns to other servers. After
	// that, running calls have the rest of the time. Zero ends within 7.5 seconds.
	Drain time.Duration
}

// noticePart is the part of HTTPOptions.Drain in which HTTP serves on. With 75 seconds a load
// balancer has 15, and a call has the minute that is its limit.
const noticePart = 5

// HTTP serves MCP until ctx is cancelled.
func HTTP(ctx context.Context, a *app.App, router *entrypoint.Router, options HTTPOptions) error {
	cert, err := a.Config.HTTP.Certificate()
	if err != nil {
		return err
	}
	bearer, err := Bearer(a.Config)
	if err != nil {
		return err
	}
	if _, err := bearer.Token(ctx); err != nil {
		return fmt.Errorf("the token of the HTTP server: %w", err)
	}
	for _, warning := range Warnings(a.Config.HTTP, cert, a.Now()) {
		a.Log.Warn(warning)
	}
	l, err := web.Listen(options.Address, cert)
	if err != nil {
		return &mistake.Error{Lines: []string{err.Error()}}
	}
	// While it drains, the server must still open tenants and notify clients.
	work, endWork := ctx, func() {}
	if options.Drain > 0 {
		work, endWork = context.WithCancel(context.WithoutCancel(ctx))
	}
	defer endWork()
	pool, authenticator := NewPool(work, a, router), tenant.NewAuthenticator(a.Registry(), bearer, a.DatabaseProblem, a.Now, a.Log)
	if options.Metrics != "" {
		stop, err := serveMetrics(a, pool, options.Metrics, cert)
		if err != nil {
			l.Close()
			return err
		}
		defer stop()
	}
	if pool.Max > 0 && a.Config.HTTP.OAuth.Issuer != "" {
		a.Log.Info("the memory limits how many people with SQLite files are served at a time", "most", pool.Max)
	}
	notice := options.Drain / noticePart
	if options.Drain > 0 {
		pool.Grace = options.Drain - notice
	}
	go pool.Sweep(work, time.Tick(sweepInterval))
	pages, endPages := context.WithCancel(work)
	defer endPages()
	people := &consoles{ctx: pages, pool: pool, bearer: bearer, identity: authenticator.Identity}
	if browser := authenticator.BrowserSignIn(access.CallbackPath); browser != nil {
		people.signIn = browser
	}
	server := &web.Server{
		Console: people, ConsolePath: access.Prefix,
		Endpoint: pool, Path: EndpointPath, Hosts: a.Config.HTTP.Hosts, Admit: authenticator.Admit, Resource: protectedResource(a.Config.HTTP.OAuth),
		Ready: authenticator.Ready, Notice: notice, Drain: func() { endPages(); pool.Drain() }, Wrap: func(next http.Handler) http.Handler {
			return a.Metrics.CountRequests(a.Tracer.Requests(EndpointPath, next))
		}, Log: a.Log,
	}
	fmt.Fprintf(a.Stderr, "KOTA serves MCP at %s; clients need %s. Ctrl-C ends it.\n", web.URL(l, cert, EndpointPath), tokenHint(a.Config.HTTP.OAuth))
	err = server.Serve(ctx, l, cert)
	endWork()
	pool.Close(ctx)
	return err
}

// protectedResource returns the resource that tells clients where to get a
// token. It returns nil if there is no issuer.
func protectedResource(o config.OAuth) *web.Resource {
	u, err := url.Parse(o.Audience)
	if o.Issuer == "" || err != nil { // the configuration has parsed it already
		return nil
	}
	return &web.Resource{URL: u, Issuers: []string{o.Issuer}, Scopes: o.Scopes}
}

// tokenHint says which token clients need.
func tokenHint(o config.OAuth) string {
	if o.Issuer == "" {
		return "the token that `kota http token` prints"
	}
	return "a token of " + o.Issuer + ", or the one that `kota http token` prints"
}
