package accounts

import (
	"context"
	"errors"
	"fmt"

	"kota/auth"
	"kota/bundles/gmail"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/signin"
	"kota/store/tables/contacts"
	"kota/store/tables/mailcache"
)

// deleteCache deletes the cached mail and contacts of an account from the database. It
// does nothing if the address is "" or there is no database.
func deleteCache(ctx context.Context, a *app.App, address string) error {
	if address == "" || !a.HasDatabase() {
		return nil
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return err
	}
	return errors.Join(gmail.ClearCache(ctx, mailcache.New(db, app.Owner, address), address), contacts.New(db, app.Owner, address).Forget(ctx))
}

// SetDefault makes an account the default, which calls use if they name no
// account.
func SetDefault(a *app.App, name string) error {
	if err := a.Load(); err != nil {
		return err
	}
	account, err := a.Accounts().Find(name)
	if err != nil {
		return signin.ForTerminal(err)
	}
	if err := a.Accounts().SetDefault(account.Name); err != nil {
		return signin.ForTerminal(err)
	}
	_, err = fmt.Fprintf(a.Stdout, "%s is the default account now.\n", account.Name)
	return err
}

// Logout signs out of the account with this name or address, or of the default
// account if name is "". It deletes the account's cached data even if Google
// does not end the sign-in.
func Logout(ctx context.Context, a *app.App, name string) error {
	account, err := a.Accounts().Find(name)
	if err != nil {
		return signin.ForTerminal(err)
	}
	err = a.Accounts().Logout(ctx, account.Name)
	if _, isRemoved := errors.AsType[*auth.RevokeError](err); err != nil && !isRemoved {
		return signin.ForTerminal(err)
	}
	cleanErr := errors.Join(deleteCache(ctx, a, account.Address), a.ForgetZone(account))
	if err != nil || cleanErr != nil {
		return errors.Join(signin.ForTerminal(err), signin.ForTerminal(cleanErr))
	}
	fmt.Fprintf(a.Stdout, "Signed out of %s.\n", account.Name)
	if newDefault, err := a.Accounts().Find(""); err == nil && account.Default {
		fmt.Fprintf(a.Stdout, "%s is the default account now.\n", newDefault.Name)
	}
	return nil
}
