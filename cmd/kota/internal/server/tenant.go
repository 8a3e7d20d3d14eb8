package main

import (
	"context"
	"net/http"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/tenant"
	"kota/entrypoint"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/transport"
)

// A house is all that serves one owner: nothing in it is another's, no database,
// sign-in, key, log or limit, and nothing that is remembered between calls.
type house struct {
	app      *app.App
	endpoint *transport.Endpoint
	leave    context.CancelFunc // ends what goes on in it
}

// openHouse opens the house of whom a serves, over its router.
func openHouse(ctx context.Context, a *app.App, router *entrypoint.Router) *house {
	unheeded := a.Inflight.NoteSignal(ctx)
	ctx, end := context.WithCancel(ctx)
	server := mcpserver.New(router, a.ServerOptions(ctx, a.Config.Expose))
	leave := func() { unheeded(); end() }
	return &house{a, server.NewEndpoint(ctx, a.Log), leave}
}

// openOwners opens the house of an owner beside that of who runs the server.
func openOwners(ctx context.Context, a *app.App, f tenant.Folder) (*house, error) {
	theirs := a.ForOwner(f)
	router, err := theirs.Router()
	if err != nil {
		return nil, err
	}
	return openHouse(ctx, theirs, router), nil
}

func (h *house) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.endpoint.ServeHTTP(w, r) }

// busy reports whether something goes on in it that is not to be broken off.
func (h *house) busy() bool { return h.endpoint.Busy() || h.app.Inflight.Any() }

// close closes a house whose endpoint has drained.
func (h *house) close(ctx context.Context) error {
	h.leave()
	return h.app.Finish(ctx)
}
