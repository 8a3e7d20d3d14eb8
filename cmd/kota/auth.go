package main

import (
	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/accounts"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/guide"
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
account. ` + "`kota auth setup`" + ` walks through both; the single commands are:

  kota auth client ~/Downloads/client_secret_….json
  kota auth login

` + signin.ClientStepsText(),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return accounts.Status(cmd.Context(), a, asJSON, false) },
	}
	addJSON(&asJSON, cmd)
	cmd.AddCommand(newAuthSetup(a), newAuthClient(a), newAuthLogin(a), newAuthStatus(a), newAuthDefault(a), newAuthLogout(a))
	return cmd
}

func newAuthSetup(a *app.App) *cobra.Command {
	var in guide.GoogleOptions
	cmd := &cobra.Command{
		Use:   "setup [FILE]",
		Short: "Walk through Google's console, sign in, and make a test read",
		Long: `Connect Gmail and Google Calendar in a terminal, step by step: walk through Google's
console with a link to each page, find and store the downloaded JSON file, switch the
bundles on, sign in, and read from each. Each step can be skipped, and what is right
already stays as it is, so you can repeat the command. FILE is the downloaded file;
without it, KOTA offers the newest client_secret*.json in the folder for downloads.
q, Ctrl-D and Ctrl-C stop it.`,
		Example: "  kota auth setup\n  kota auth setup ~/Downloads/client_secret_….json",
		Args:    atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.File = append(args, "")[0]
			return guide.SetUpGoogle(cmd.Context(), a, in)
		},
	}
	cmd.Flags().StringVar(&in.Account, "account", "", "a name for the account (default: its address)")
	cmd.Flags().BoolVar(&in.NoBrowser, "no-browser", false, "print addresses instead of opening a browser")
	return cmd
}

func newAuthLogin(a *app.App) *cobra.Command {
	var flags accounts.LoginOptions
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Sign in to a Google account in the browser",
		Long: `Sign in to a Google account in the browser. KOTA asks only for the permissions that
the enabled bundles need under the profile. Sign in again after you enable another
bundle. Google shows an empty box for each permission: tick "Select all". Actions
whose permission you do not tick are not offered.

Signing in again replaces the permissions of the account: those that you do not tick
again, or that the profile no longer asks for, are removed. With --bundles, the new
permissions are added to the earlier ones.

Without a browser on this machine, open the printed address on another one. The
browser ends on an address that begins with http://127.0.0.1 and cannot be reached
there: paste that whole address here.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			return accounts.Login(cmd.Context(), a, flags)
		},
	}
	cmd.Flags().StringVar(&flags.Account, "account", "", "a name for the account, or the account to sign in again (default: its address)")
	cmd.Flags().StringSliceVar(&flags.Bundles, "bundles", nil, "the bundles to sign in for, in addition to earlier permissions (default: the enabled ones)")
	cmd.Flags().BoolVar(&flags.NoBrowser, "no-browser", false, "print the address instead of opening a browser")
	return cmd
}

func newAuthStatus(a *app.App) *cobra.Command {
	var asJSON, check bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List the accounts, their permissions and how long they last",
		Long: `List the accounts, their permissions and how long their sign-ins last. Only --check
asks Google; without it, this is the state that KOTA last knew. The exit status is 1
when an account cannot be used.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return accounts.Status(cmd.Context(), a, asJSON, check) },
	}
	addJSON(&asJSON, cmd)
	cmd.Flags().BoolVar(&check, "check", false, "ask Google whether the sign-ins are still valid")
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

` + signin.ClientStepsText(),
		Args: atMostOneFile,
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
		Short:             "Choose the default account",
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
		Short: "Sign out of an account: Google revokes the token, KOTA deletes it",
		Long: `Sign out of an account: Google revokes the token, and KOTA deletes it. If Google
cannot be reached, KOTA still deletes the token and says so. Without ACCOUNT, sign
out of the default account. Google revokes all sign-ins of that account with this
OAuth client, also those on other machines. The cached mail of the account is
deleted; the outbox and the undo records stay in kota.db.`,
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
