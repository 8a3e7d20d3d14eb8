package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kota/auth"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/server"
)

func newHTTP(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "http",
		Short: "What clients need to reach `kota serve --http`",
		Args:  noArgs,
	}
	cmd.AddCommand(newHTTPToken(a))
	return cmd
}

func newHTTPToken(a *app.App) *cobra.Command {
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
			bearer, err := server.Bearer(a.Config)
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
