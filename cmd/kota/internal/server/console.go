package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"kota/auth"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/console"
	"kota/cmd/kota/internal/console/access"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/tenant"
	"kota/entrypoint"
	"kota/entrypoint/web"
)

// ConsoleHere serves the console of the user who runs KOTA, at a loopback address, until ctx is
// cancelled. It calls ready with a link that signs the user in.
func ConsoleHere(ctx context.Context, a *app.App, router *entrypoint.Router, address string, ready func(link string) error) error {
	l, err := web.Listen(address, nil)
	if err != nil {
		return &mistake.Error{Lines: []string{err.Error()}}
	}
	defer l.Close()
	secret := make([]byte, 32)
	rand.Read(secret)
	pages, err := console.New(ctx, secret, time.Now, func(context.Context, string) (*app.App, *entrypoint.Router, func(), error) {
		return a, router, func() {}, nil
	})
	if err != nil {
		return err
	}
	pages.Gate.Stranger = isOtherUser
	server := &web.Server{
		Console: pages.Gate, ConsolePath: access.Prefix, Log: a.Log,
		Ready: func(context.Context) error { return nil }, Drain: func() {},
	}
	if err := ready(pages.Gate.Link(web.URL(l, nil, ""), "")); err != nil {
		return err
	}
	return server.Serve(ctx, l, nil)
}

// consoles serves the consoles of the people of an HTTP server. The token of the server is
// their secret: all processes with that token accept the same sessions, and a new token ends
// all sessions.
type consoles struct {
	ctx    context.Context
	pool   *Pool
	bearer *auth.Bearer

	identity func(subject string) (tenant.Identity, bool)
	signIn   access.SignIn // nil for none

	mu    sync.Mutex
	token string
	gate  *access.Gate
}

func (c *consoles) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	gate, err := c.current(r.Context())
	if err != nil {
		c.pool.log.Error("the console needs the token of the HTTP server", "error", err)
		web.Refuse(w, http.StatusServiceUnavailable, "the console cannot be opened now; the server's log says why")
		return
	}
	gate.ServeHTTP(w, r)
}

// current returns the gate of the current token.
func (c *consoles) current(ctx context.Context) (*access.Gate, error) {
	token, err := c.bearer.Token(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gate != nil && c.token == token {
		return c.gate, nil
	}
	pages, err := console.New(c.ctx, []byte(token), time.Now, c.open)
	if err != nil {
		return nil, err
	}
	pages.Gate.Again, pages.Gate.SignIn = remoteAgain, c.signIn
	if operator := c.pool.operator.app; operator.Config.HasServer() {
		pages.Gate.Spend = func(ctx context.Context, link string, expires time.Time) error {
			rows, err := operator.Approvals(ctx)
			if err != nil {
				return err
			}
			return rows.ConsumeNonce(ctx, link, expires.Add(clockTolerance))
		}
	}
	c.token, c.gate = token, pages.Gate
	return c.gate, nil
}

// clockTolerance is how far the clock of this process may be behind that of the database.
const clockTolerance = 10 * time.Minute

const remoteAgain = "run `kota console --remote URL` with the address of this server"

// open returns what serves a person: the user who runs the server, or the person with that
// subject at the issuer.
func (c *consoles) open(ctx context.Context, subject string) (*app.App, *entrypoint.Router, func(), error) {
	if subject == "" {
		return c.pool.operator.app, c.pool.operator.router, func() {}, nil
	}
	who, ok := c.identity(subject)
	if !ok {
		return nil, nil, nil, errNotServed
	}
	e, err := c.pool.acquire(ctx, who)
	if err != nil {
		return nil, nil, nil, err
	}
	return e.instance.app, e.instance.router, func() { c.pool.release(e) }, nil
}

var errNotServed = errors.New("this server does not serve you any more; its operator can add you")

// ConsoleLink returns a link to the console of the HTTP server at an address such as
// "https://kota.example.com". It asks the server for its time, because a link is valid for a
// minute by the server's clock.
func ConsoleLink(ctx context.Context, a *app.App, address string) (string, error) {
	origin, err := url.Parse(address)
	if err != nil || origin.Host == "" || origin.Scheme != "https" && origin.Scheme != "http" {
		return "", mistake.Errorf("--remote takes the address of a server, such as https://kota.example.com or http://127.0.0.1:8321, not %q", address)
	}
	bearer, err := Bearer(a.Config)
	if err != nil {
		return "", err
	}
	token, err := bearer.Token(ctx)
	if err != nil {
		return "", fmt.Errorf("the token of the HTTP server: %w", err)
	}
	base := origin.Scheme + "://" + origin.Host
	now, err := serverTime(ctx, base)
	if err != nil {
		return "", fmt.Errorf("no KOTA answers at %s: %w; start it with `kota serve --http`", base, err)
	}
	gate, err := access.New([]byte(token), func() time.Time { return now }, nil)
	if err != nil {
		return "", err
	}
	return gate.Link(base, ""), nil
}

// serverTime returns the time of the server, from its health check.
func serverTime(ctx context.Context, base string) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/healthz", nil)
	if err != nil {
		return time.Time{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return time.Time{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return time.Time{}, fmt.Errorf("/healthz answers %s", response.Status)
	}
	return http.ParseTime(response.Header.Get("Date"))
}
