package main

import (
	"slices"

	"kota/auth"
	"kota/bundles"
	"kota/entrypoint"
)

// signInState fills in what the Google accounts make of the policy: which rights
// no account has granted. With nobody signed in nothing is withheld: the actions
// can be found, and a call says how to sign in.
func (a *app) signInState(all []bundles.Bundle, policy *entrypoint.Policy) {
	if !slices.ContainsFunc(all, func(b bundles.Bundle) bool { return b.Enabled && needsAccount(b) }) {
		return
	}
	accounts, err := a.accounts().List()
	usable := slices.DeleteFunc(accounts, func(one auth.Account) bool { return one.Problem != nil })
	if err == nil && len(usable) > 0 {
		policy.Lacks = func(scopes []string) bool {
			return !slices.ContainsFunc(usable, func(one auth.Account) bool { return len(lacking(one.Scopes, scopes)) == 0 })
		}
	}
}

// needsAccount reports whether the bundle works on a Google account.
func needsAccount(b bundles.Bundle) bool {
	return slices.ContainsFunc(b.Actions, func(action bundles.Action) bool { return len(action.Scopes) > 0 })
}

// signInMissing says what is between the user and the first call.
func (a *app) signInMissing() string {
	if !a.hasClient() {
		return a.advise("not signed in: run `kota auth client FILE` (`kota auth client` says how to get it), then `kota auth login`")
	}
	return a.advise("not signed in: run `kota auth login`")
}
