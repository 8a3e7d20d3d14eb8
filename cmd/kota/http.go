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
		Long: `Print the token that clients of ` + "`kota serve --http`" + ` need, and create it if there is none.
Clients send it in a header: Authorization: Bearer TOKEN. Anyone who has it can do
everything that your assistant can do. It is stored in http.token in KOTA's folder;
only you can read it. KOTA_HTTP_TOKEN overrides the stored token.`,
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
				return mistake.Errorf("the token comes from KOTA_HTTP_TOKEN: change it there, and restart the server")
			}
			if err != nil {
				return fmt.Errorf("the token of the HTTP server: %w", err)
			}
			_, err = fmt.Fprintln(a.Stdout, token)
			return err
		},
	}
	cmd.Flags().BoolVar(&renew, "new", false, "create a new token; the old one stops working at once, also on a running server")
	return cmd
}
