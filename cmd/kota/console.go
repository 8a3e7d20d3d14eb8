package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/accounts"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/server"
)

func newConsole(a *app.App) *cobra.Command {
	noBrowser, address, remote := false, "", ""
	cmd := &cobra.Command{
		Use:   "console",
		Short: "Open KOTA's pages in your browser: approvals, memories, the day",
		Long: `Open KOTA's pages in your browser. You can approve calls there, read and correct what
your assistant remembers, and see your day.

The pages are at an address of this machine that only you can guess, until you press
Ctrl-C. The link signs you in once, within a minute. With --no-browser, KOTA prints the
link alone on stdout.

` + "`kota serve --http`" + ` serves the same pages. With --remote, KOTA prints a link to them, for
which it needs the token of that server: ` + "`kota http token`" + ` on the same machine, or
KOTA_HTTP_TOKEN.`,
		Example: "  kota console\n  kota console --no-browser\n  kota console --remote https://kota.example.com",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if remote != "" {
				return openRemoteConsole(cmd, a, remote, noBrowser)
			}
			router, err := a.Router()
			if err != nil {
				return err
			}
			return server.ConsoleHere(cmd.Context(), a, router, address, func(link string) error {
				if noBrowser {
					_, err := fmt.Fprintln(a.Stdout, link)
					return err
				}
				fmt.Fprintf(a.Stderr, "Your browser opens the console. If it does not, open this address within a minute:\n\n  %s\n\nCtrl-C ends the console.\n", link)
				if err := accounts.OpenBrowser(link); err != nil {
					a.Log.Debug("no browser was opened", "cause", err)
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "print the link alone, and open no browser")
	cmd.Flags().StringVar(&address, "address", "127.0.0.1:0", "where to listen; port 0 means any free port")
	cmd.Flags().StringVar(&remote, "remote", "", "open the console of the server at this address instead, such as https://kota.example.com")
	cmd.MarkFlagsMutuallyExclusive("remote", "address")
	return cmd
}

// openRemoteConsole opens the console of an HTTP server that has the same token.
func openRemoteConsole(cmd *cobra.Command, a *app.App, address string, noBrowser bool) error {
	if err := a.Load(); err != nil {
		return err
	}
	link, err := server.ConsoleLink(cmd.Context(), a, address)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(a.Stdout, link); err != nil || noBrowser {
		return err
	}
	if err := accounts.OpenBrowser(link); err != nil {
		a.Log.Debug("no browser was opened", "cause", err)
	}
	return nil
}
