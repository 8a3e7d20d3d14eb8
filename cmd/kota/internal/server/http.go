package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"kota/auth"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/tenant"
	"kota/entrypoint"
	"kota/entrypoint/web"
)

// serveHTTP serves MCP at an address until ctx is cancelled.
func (a *cli) serveHTTP(ctx context.Context, router *entrypoint.Router, address string) error {
	cert, err := a.Config.HTTP.Certificate()
	if err != nil {
		return err
	}
	bearer, err := a.Bearer()
	if err != nil {
		return err
	}
	if _, err := bearer.Token(ctx); err != nil {
		return fmt.Errorf("the token of the HTTP server: %w", err)
	}
	for _, warning := range a.HttpWarnings(cert) {
		a.Log.Warn(warning)
	}
	l, err := web.Listen(address, cert)
	if err != nil {
		return &mistake.Error{Lines: []string{err.Error()}}
	}
	all, door := newHouses(ctx, openHouse(ctx, a.App, router)), tenant.NewAuthenticator(a.Registry(), bearer, a.DatabaseTrouble, a.Now, a.Log)
	go all.sweep(ctx, time.Tick(houseSweep))
	server := &web.Server{
		Endpoint: all, Path: app.EndpointPath, Hosts: a.Config.HTTP.Hosts, Admit: door.Admit, Resource: resource(a.Config.HTTP.OAuth),
		Ready: door.Ready, Drain: all.drain, Log: a.Log,
	}
	fmt.Fprintf(a.Stderr, "KOTA serves MCP at %s; clients need %s. Ctrl-C ends it.\n", web.URL(l, cert, app.EndpointPath), tokenNeeded(a.Config.HTTP.OAuth))
	err = server.Serve(ctx, l, cert)
	all.close(ctx)
	return err
}

func newHTTP(a *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "http",
		Short: "What clients need to reach `kota serve --http`",
		Args:  noArgs,
	}
	cmd.AddCommand(newHTTPToken(a))
	return cmd
}

func newHTTPToken(a *cli) *cobra.Command {
	renew := false
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Print the token that HTTP clients need, or make a new one",
		Long: `Print the token by which clients reach ` + "`kota serve --http`" + `, and make it if there is none.
They send it in a header: Authorization: Bearer TOKEN. Whoever has it can do all
that your assistant can. It is in http.token in KOTA's folder, for you alone to
read; KOTA_HTTP_TOKEN in the environment of the server goes first.`,
		Example: "  kota http token\n  kota http token --new",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			bearer, err := a.Bearer()
			if err != nil {
				return err
			}
			get := bearer.Token
			if renew {
				get = bearer.Renew
			}
			token, err := get(cmd.Context())
			if errors.Is(err, auth.ErrGiven) {
				return mistake.Errorf("the token is KOTA_HTTP_TOKEN's: change it there, and start the server again")
			}
			if err != nil {
				return fmt.Errorf("the token of the HTTP server: %w", err)
			}
			_, err = fmt.Fprintln(a.Stdout, token)
			return err
		},
	}
	cmd.Flags().BoolVar(&renew, "new", false, "make a new token; the old one is refused from now on, by a server that runs too")
	return cmd
}

// resource is what clients are told of where to get a token, nil where no issuer
// gives any.
func resource(o config.OAuth) *web.Resource {
	u, err := url.Parse(o.Audience)
	if o.Issuer == "" || err != nil { // it was parsed when it was read
		return nil
	}
	return &web.Resource{URL: u, Issuers: []string{o.Issuer}, Scopes: o.Scopes}
}

// tokenNeeded says which token clients need.
func tokenNeeded(o config.OAuth) string {
	if o.Issuer == "" {
		return "the token that `kota http token` prints"
	}
	return "a token of " + o.Issuer + ", or the one that `kota http token` prints"
}
