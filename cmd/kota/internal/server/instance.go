package server

import (
	"context"
	"net/http"

	"kota/cmd/kota/internal/app"
	"kota/entrypoint"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/transport"
)

// instance serves one tenant. Two instances share no database, sign-in, key, audit
// log, send limit or state between calls. They share the limit of request bodies
// and the local model for the search.
type instance struct {
	app      *app.App
	router   *entrypoint.Router
	endpoint *transport.Endpoint
	cancel   context.CancelFunc // ends the work of the instance
}

// newInstance returns an instance that serves the tenant of that app through that
// router.
func newInstance(ctx context.Context, a *app.App, router *entrypoint.Router) *instance {
	ignoreSignal := a.Inflight.NoteSignal(ctx)
	ctx, end := context.WithCancel(ctx)
	server := mcpserver.New(router, a.ServerOptions(ctx, a.Config.Expose))
	cancel := func() { ignoreSignal(); end() }
	return &instance{a, router, server.NewEndpoint(ctx, a.Log).Share(a.Sessions()), cancel}
}

func (i *instance) ServeHTTP(w http.ResponseWriter, r *http.Request) { i.endpoint.ServeHTTP(w, r) }

// busy reports whether the instance runs something that must not be
// interrupted.
func (i *instance) busy() bool { return i.endpoint.Busy() || i.app.Inflight.Any() }

// close closes an instance whose endpoint has drained.
func (i *instance) close(ctx context.Context) error {
	i.cancel()
	return i.app.Finish(ctx)
}
