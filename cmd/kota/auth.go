package main

import (
	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/accounts"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/signin"
	"kota/metadata"
)

func newAuth(a *app.App) *cobra.Command {
	var asJSON bool
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
		RunE: func(cmd *cobra.Command, _ []string) error { return accounts.Status(cmd.Context(), a, asJSON, false) },
	}
	addJSON(&asJSON, cmd)
	cmd.AddCommand(newAuthClient(a), newAuthLogin(a), newAuthStatus(a), newAuthDefault(a), newAuthLogout(a))
	return cmd
}

func newAuthLogin(a *app.App) *cobra.Command {
	var flags accounts.LoginOptions
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Sign in to a Google account in the browser",
		Long: `Sign in to a Google account in the browser. KOTA asks for what the bundles that
are on need under the profile, and no more; sign in again when you switch on
another one. Google shows an empty box for each permission: tick "Select all".
What you leave empty is not offered.

Signing in again replaces what the account granted: what you do not tick any
more, or what the profile does not ask for any more, is gone. With --bundles it
is added to what the account granted before.

Without a browser on this machine, open the address that is printed on another
one. It ends on an address that begins with http://127.0.0.1 and cannot be
reached there: paste that whole address here.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			return accounts.Login(cmd.Context(), a, flags)
		},
	}
	cmd.Flags().StringVar(&flags.Account, "account", "", "what to call the account, or the one to sign in again (default: its address)")
	cmd.Flags().StringSliceVar(&flags.Bundles, "bundles", nil, "the bundles to sign in for, beside what was granted (default: those that are on)")
	cmd.Flags().BoolVar(&flags.NoBrowser, "no-browser", false, "only print the address to open")
	return cmd
}

func newAuthStatus(a *app.App) *cobra.Command {
	var asJSON, check bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List the accounts, what they granted and how long they last",
		Long: `List the accounts, what they granted and how long they last. Google is asked
with --check alone; otherwise this is what KOTA last heard of it. The exit status
is 1 when something keeps an account from being used.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return accounts.Status(cmd.Context(), a, asJSON, check) },
	}
	addJSON(&asJSON, cmd)
	cmd.Flags().BoolVar(&check, "check", false, "ask Google whether the sign-ins still last")
	return cmd
}

func newAuthClient(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "client [FILE]",
		Short: "Store your OAuth client, the JSON file from Google's console",
		Long: `Store your OAuth client: the JSON file that Google's console gives you for an
OAuth client of the type "Desktop app". "-" reads it from stdin. It is kept in
KOTA_HOME, readable by you alone; the downloaded file can be deleted then.
Without FILE, show which client is stored, or how to make one.

` + signin.ClientSteps,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return mistake.Errorf("%s takes one file.\nSee `%s --help`.", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if len(args) == 0 {
				return accounts.ShowClient(a)
			}
			return accounts.StoreClient(cmd.Context(), a, args[0])
		},
	}
}

func newAuthDefault(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:               "default ACCOUNT",
		Short:             "Choose the account that is used when a call names none",
		Args:              exactArgs(1, "the name of an account"),
		ValidArgsFunction: completeAccounts(a),
		RunE: func(_ *cobra.Command, args []string) error {
			return accounts.SetDefault(a, args[0])
		},
	}
}

func newAuthLogout(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "logout [ACCOUNT]",
		Short: "Sign out of an account: Google revokes the token, KOTA forgets it",
		Long: `Sign out of an account: Google revokes the token and KOTA forgets it, also when
Google cannot be reached (then it says so). Without ACCOUNT, the default one.
Google revokes every sign-in of that account with this OAuth client, also those
made on other machines. What was kept of its mail for faster searches is
dropped; what the outbox sent, and what can be undone, stays in kota.db.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return mistake.Errorf("%s takes one account.\nSee `%s --help`.", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeAccounts(a),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if err := a.Policy().Permit(cmd.CommandPath(), metadata.Writes); err != nil {
				return err
			}
			return accounts.Logout(cmd.Context(), a, append(args, "")[0])
		},
	}
}
