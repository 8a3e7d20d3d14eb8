// Package accounts signs in to Google accounts and out of them, shows their state and
// stores the OAuth client. It prints for the user; tokens are kept by package auth. Begin
// with Login.
package accounts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/pkg/browser"

	"kota/auth"
	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/gmail"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/signin"
	"kota/metadata"
)

// LoginOptions are the flags of `kota auth login`.
type LoginOptions struct {
	Account   string
	Bundles   []string
	NoBrowser bool
}

// Login signs in to an account in the browser.
func Login(ctx context.Context, a *app.App, flags LoginOptions) error {
	wanted, err := a.LoginBundles(flags.Bundles)
	if err != nil {
		return err
	}
	login := auth.Login{
		Account: flags.Account, Scopes: auth.Narrow(a.Policy().Scopes(wanted)), Add: len(flags.Bundles) > 0,
		Show: func(url string) { showSignIn(a, url, flags.NoBrowser) }, Paste: a.Stdin, Say: func(sentence string) { a.PrintAdvised(a.Stderr, "%s\n", sentence) },
		FindAddress: func(ctx context.Context, client *http.Client) (string, error) { return addressOf(ctx, a, client) },
	}
	if !flags.NoBrowser {
		login.Browser = OpenBrowser
	}
	if known, err := a.Accounts().Find(flags.Account); err == nil && flags.Account != "" {
		login.LoginHint = known.Address
	} else if strings.Contains(flags.Account, "@") {
		login.LoginHint = flags.Account
	}
	if len(login.Scopes) == 0 {
		return mistake.Errorf("the profile %s allows no action that needs a Google account; choose another with profile: in bundles.yaml", a.Config.Profile)
	}
	account, err := a.Accounts().Login(ctx, login)
	if err != nil && ctx.Err() != nil {
		return errors.New("the sign-in was cancelled; nothing was stored")
	}
	if err != nil {
		return signInError(err, login)
	}
	a.LearnZone(account)
	return printSignedIn(a, account, login.Scopes, wanted)
}

// addressOf returns the account's address. It asks Gmail, or Calendar if Gmail
// was not granted.
func addressOf(ctx context.Context, a *app.App, client *http.Client) (string, error) {
	address, err := gmail.Address(ctx, client, a.Config.GoogleEndpoint)
	if metadata.CodeOf(err) != metadata.ScopeMissing {
		return address, err
	}
	return calendar.Address(ctx, client, a.Config.GoogleEndpoint)
}

// signInError explains why the sign-in failed.
func signInError(err error, login auth.Login) error {
	again := "nothing was stored. Run `kota auth login" + signin.AccountFlag(login.Account) + "` again and tick every box"
	asked := signin.DescribeScopes(login.Scopes)
	switch {
	case errors.Is(err, auth.ErrNothingGranted):
		return fmt.Errorf("you did not allow KOTA to %s; %s", strings.Join(asked, ", or to "), again)
	case metadata.CodeOf(err) == metadata.ScopeMissing && (gmail.CanReadAddress(login.Scopes) || calendar.CanReadAddress(login.Scopes)):
		return fmt.Errorf("you did not allow KOTA to %s; %s", asked[0], again)
	case metadata.CodeOf(err) == metadata.ScopeMissing: // no requested scope shows the address
		return errors.New("the permissions of the profile do not show the account's address, so nothing was stored; run `kota auth login --account NAME` to name it yourself")
	}
	return signin.ForTerminal(err)
}

// showSignIn prints the sign-in address and instructions on stderr, because
// stdout has only the outcome.
func showSignIn(a *app.App, url string, noBrowser bool) {
	if noBrowser {
		fmt.Fprintf(a.Stderr, "Open this address in a browser:\n\n  %s\n\n", url)
	} else {
		fmt.Fprintf(a.Stderr, "Your browser opens Google's sign-in. If it does not, open this address:\n\n  %s\n\n", url)
	}
	fmt.Fprint(a.Stderr, "Google shows an empty box for each permission: tick \"Select all\". Actions whose\npermission you do not tick are not offered.\n\n")
	fmt.Fprintf(a.Stderr, "If that browser is on another machine, it ends on an address that begins with\nhttp://127.0.0.1 and cannot be reached: paste that whole address here and press\nEnter. Waiting for up to five minutes; Ctrl-C gives up.\n")
}

// OpenBrowser opens the address in the user's browser and discards what the
// browser's launcher prints.
func OpenBrowser(url string) error {
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	return browser.OpenURL(url)
}

// printSignedIn prints who is signed in, what was granted and what was not.
func printSignedIn(a *app.App, account auth.Account, asked []string, wanted []bundles.Bundle) error {
	fmt.Fprintf(a.Stdout, "Signed in as %s%s.\n", account.Name, signin.Label(account))
	fmt.Fprintf(a.Stdout, "KOTA may: %s.\n", signin.JoinWords(signin.DescribeScopes(auth.Narrow(account.Scopes))))
	if missing := signin.MissingScopes(account.Scopes, asked); len(missing) > 0 {
		a.PrintAdvised(a.Stdout, "Not granted: %s. Actions that need it are not offered; run `kota auth login%s` again and tick every box to use it.\n", signin.JoinWords(signin.DescribeScopes(missing)), signin.AccountFlag(account.Name))
	}
	off := slices.DeleteFunc(app.BundleNames(wanted), func(key string) bool { return a.Config.Bundles[key].Enabled })
	for _, key := range off {
		a.PrintAdvised(a.Stdout, "The bundle %s is off: run `kota bundles enable %s`.\n", key, key)
	}
	_, err := fmt.Fprint(a.Stdout, signin.TestingNotice([]signin.State{a.StateOf(account)}))
	return err
}
