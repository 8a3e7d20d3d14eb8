package main

import (
	"fmt"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"kota/entrypoint"
	"kota/metadata"
)

func newServe(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Speak MCP on stdin and stdout, for a client to start",
		Long: `Speak MCP on stdin and stdout. A client starts this command; stdout carries the
protocol alone and logs go to stderr.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.load(); err != nil {
				return err
			}
			a.openSoon()
			router, err := a.router()
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(router.Catalogue(), func(b metadata.Bundle) bool { return len(b.Actions) > 0 }) {
				a.log.Warn("no action can be called: no bundle is on, or the profile allows none; see `kota profiles`", "profile", a.config.Profile)
			}
			if isTerminal(a.stdin) {
				fmt.Fprintln(a.stderr, "kota serve waits for an MCP client on stdin. Run `kota` to see how to connect one; Ctrl-D ends it.")
			}
			// A client that is gone is an error to return, not a signal to die of.
			signal.Ignore(syscall.SIGPIPE)
			server := entrypoint.NewServer(router, a.serverOptions(cmd.Context(), a.config.Expose))
			return router.ServeStdio(cmd.Context(), server, a.stdin, a.stdout, a.log)
		},
	}
}
