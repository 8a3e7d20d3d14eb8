package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kota/bundles/gmail"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/signin"
	"kota/metadata"
	"kota/store/sqlite/mailcache"
)

func newAuthDefault(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:               "default ACCOUNT",
		Short:             "Choose the account that is used when a call names none",
		Args:              exactly(1, "the name of an account"),
		ValidArgsFunction: completeAccounts(a),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			account, err := a.Accounts().Find(args[0])
			if err != nil {
				return signin.ForTerminal(err)
			}
			if err := a.Accounts().SetDefault(account.Name); err != nil {
				return signin.ForTerminal(err)
			}
			_, err = fmt.Fprintf(a.Stdout, "%s is the default account now.\n", account.Name)
			return err
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
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			if err := a.Policy().Permit(cmd.CommandPath(), metadata.Writes); err != nil {
				return err
			}
			account, err := a.Accounts().Find(name)
			if err != nil {
				return signin.ForTerminal(err)
			}
			if err := a.Accounts().Logout(cmd.Context(), account.Name); err != nil {
				return signin.ForTerminal(err)
			}
			if err := errors.Join(forgetMail(cmd.Context(), a, account.Address), a.ForgetZone(account)); err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "Signed out of %s.\n", account.Name)
			if heir, err := a.Accounts().Find(""); err == nil && account.Default {
				fmt.Fprintf(a.Stdout, "%s is the default account now.\n", heir.Name)
			}
			return nil
		},
	}
}

// forgetMail drops what is kept of the mailbox, where there is a database.
func forgetMail(ctx context.Context, a *app.App, address string) error {
	if _, err := os.Stat(a.DbPath()); address == "" || err != nil {
		return nil
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return err
	}
	return gmail.Forget(ctx, mailcache.New(db, app.Owner, address), address)
}
