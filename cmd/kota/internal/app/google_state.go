package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kota/auth"
	"kota/bundles"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/signin"
	"kota/entrypoint/policy"
)

// addMissingScopes makes the policy withhold an action unless one usable account
// has granted all its scopes. If no account can be used, the policy withholds
// nothing: the actions can be found, and a call says how to sign in.
func (a *App) addMissingScopes(all []bundles.Bundle, policy *policy.Policy) {
	if !slices.ContainsFunc(all, func(b bundles.Bundle) bool { return b.Enabled && needsAccount(b) }) {
		return
	}
	accounts, err := a.Accounts().List()
	usable := slices.DeleteFunc(accounts, func(account auth.Account) bool { return account.Problem != nil })
	if err == nil && len(usable) > 0 {
		policy.MissingScopes = func(scopes []string) bool {
			return !slices.ContainsFunc(usable, func(account auth.Account) bool { return len(signin.MissingScopes(account.Scopes, scopes)) == 0 })
		}
	}
}

// needsAccount reports whether the bundle needs a Google account.
func needsAccount(b bundles.Bundle) bool {
	return slices.ContainsFunc(b.Actions, func(action bundles.Action) bool { return len(action.Scopes) > 0 })
}

// SignInHint says what the user must do before the first call.
func (a *App) SignInHint() string {
	return "not signed in: " + a.SignInStep()
}

// SignInStep says how to sign in: "run `kota auth login`".
func (a *App) SignInStep() string {
	if !a.HasClient() {
		return a.Advise("run `kota auth client FILE` (`kota auth client` says how to get it), then `kota auth login`")
	}
	return a.Advise("run `kota auth login`")
}

// accountProblem returns why an account cannot be used, without asking Google.
// The result is zero if no problem is known.
func (a *App) accountProblem(account auth.Account) signin.AccountProblem {
	again := "Run `kota auth login" + signin.AccountFlag(account.Name) + "`."
	days, stated := account.DaysLeft(a.Now())
	switch {
	case account.Problem != nil:
		return signin.ProblemOf(account.Problem)
	case !account.Ended.IsZero():
		seen := account.Ended.In(a.Zone()).Format("2006-01-02 15:04")
		return signin.AccountProblem{Problem: fmt.Sprintf("Google has ended this sign-in (seen on %s)", seen), Remedy: again}
	case stated && days < 0:
		return signin.AccountProblem{Problem: "Google has ended this sign-in", Remedy: again}
	}
	return signin.AccountProblem{}
}

// SignInProblems returns the problems of the OAuth client and of the choice of
// the default account. accountProblem returns the problem of an account.
func (a *App) SignInProblems(accounts []auth.Account) []signin.AccountProblem {
	found := []signin.AccountProblem{}
	_, err := a.Accounts().Client()
	switch {
	case errors.Is(err, auth.ErrNoClient):
		if len(accounts) > 0 {
			found = append(found, signin.ProblemOf(err))
		}
	case err != nil:
		t := signin.ProblemOf(err)
		t.Problem = "the stored OAuth client cannot be used: " + t.Problem
		found = append(found, t)
	}
	if len(accounts) > 0 && !accounts[0].Default {
		_, err := a.Accounts().Find("")
		found = append(found, signin.ProblemOf(err))
	}
	for i := range found {
		found[i] = a.adviseProblem(found[i])
	}
	return found
}

// StateOf returns what is known about an account for the enabled bundles.
func (a *App) StateOf(account auth.Account) signin.State {
	return signin.StateOf(account, a.EnabledScopes(), a.Now(), a.adviseProblem(a.accountProblem(account)))
}

// EnabledScopes returns the scopes that the enabled bundles need under the
// profile and the gates.
func (a *App) EnabledScopes() []string {
	wanted, err := a.LoginBundles(nil)
	if err != nil { // no enabled bundle needs an account
		return nil
	}
	return auth.Narrow(a.Policy().Scopes(wanted))
}

// LoginBundles returns the bundles with these keys. If there are no keys, it
// returns the enabled bundles that need a Google account. A key of a bundle that
// needs no account, an unknown key and an empty result are usage errors.
func (a *App) LoginBundles(keys []string) ([]bundles.Bundle, error) {
	google := slices.DeleteFunc(slices.Clone(a.Bundles()), func(b bundles.Bundle) bool { return !needsAccount(b) })
	names := BundleNames(google)
	for _, key := range keys {
		if !slices.Contains(names, key) {
			return nil, mistake.Errorf("--bundles: %q is not a bundle that needs a Google account%s; allowed: %s", key, mistake.DidYouMean(key, names), strings.Join(names, ", "))
		}
	}
	wanted := slices.DeleteFunc(google, func(b bundles.Bundle) bool {
		if len(keys) > 0 {
			return !slices.Contains(keys, b.Key)
		}
		return !a.Config.Bundles[b.Key].Enabled
	})
	if len(wanted) == 0 {
		return nil, mistake.Errorf("no bundle that needs a Google account is on: run `kota bundles enable %s`, then `kota auth login` again", names[0])
	}
	return wanted, nil
}

// BundleNames returns the keys of the bundles.
func BundleNames(all []bundles.Bundle) []string {
	keys := []string{}
	for _, b := range all {
		keys = append(keys, b.Key)
	}
	return keys
}
