package main

import (
	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/signin"
)

func newAuth(a *app.App) *cobra.Command {
	var flags statusFlags
	cmd := &cobra.Command{
		Use:   "auth",
		Short: "Sign in to Google and see who is signed in",
		Long: `Sign in to Google and see who is signed in. Mail and calendar need an OAuth
client of your own, made once in Google's console, and one sign-in for each
account:

  kota auth client ~/Downloads/client_secret_….json
  kota auth login

` + signin.ClientSteps,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return authStatus(cmd.Context(), a, flags) },
	}
	addJSON(&flags.json, cmd)
	cmd.AddCommand(newAuthClient(a), newAuthLogin(a), newAuthStatus(a), newAuthDefault(a), newAuthLogout(a))
	return cmd
}
