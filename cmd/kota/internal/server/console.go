package server

import (
	"context"
	"crypto/rand"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/console"
	"kota/cmd/kota/internal/console/access"
	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint"
	"kota/entrypoint/web"
)

// Console serves the console of the user who runs KOTA, at a loopback address, until ctx is
// cancelled. It calls ready with a link that signs the user in.
func Console(ctx context.Context, a *app.App, router *entrypoint.Router, address string, ready func(link string) error) error {
	l, err := web.Listen(address, nil)
	if err != nil {
		return &mistake.Error{Lines: []string{err.Error()}}
	}
	secret := make([]byte, 32)
	rand.Read(secret)
	pages, err := console.New(ctx, secret, a.Now, func(context.Context, string) (*app.App, *entrypoint.Router, func(), error) {
		return a, router, func() {}, nil
	})
	if err != nil {
		l.Close()
		return err
	}
	server := &web.Server{
		Console: pages.Gate, ConsolePath: access.Prefix, Log: a.Log,
		Ready: func(context.Context) error { return nil }, Drain: func() {},
	}
	if err := ready(pages.Gate.Link(web.URL(l, nil, ""), "")); err != nil {
		l.Close()
		return err
	}
	return server.Serve(ctx, l, nil)
}
