package main

import (
	"fmt"
	"strings"

	"kota/auth"
)

// examineAccounts looks at the Google accounts, where a bundle that is on works
// on them. Google is not asked.
func (a *app) examineAccounts() []finding {
	if len(a.scopesOn()) == 0 {
		return nil
	}
	accounts, err := a.accounts().List()
	if err != nil {
		return []finding{{Check: "google", Saw: plainly(explainAuth(err))}}
	}
	if len(accounts) == 0 {
		return []finding{{Check: "google", OK: true, Saw: a.signInMissing()}}
	}
	if _, err := a.accounts().Client(); err != nil {
		return []finding{{Check: "google", Saw: err.Error(), Remedy: "Run: kota auth client FILE"}}
	}
	found := []finding{}
	for _, account := range accounts {
		found = append(found, a.examineAccount(account))
	}
	return found
}

func (a *app) examineAccount(account auth.Account) finding {
	state := a.stateOf(account)
	f := finding{Check: "google", OK: true, Saw: fmt.Sprintf("%s may %s", account.Name, sentenceOf(rights(auth.Narrow(account.Scopes))))}
	again := "Run: kota auth login" + accountFlag(account.Name)
	switch {
	case account.Problem != nil:
		f.OK, f.Saw, f.Remedy = false, state.Problem, again
	case state.Stated && state.DaysLeft < 0:
		f.OK, f.Saw, f.Remedy = false, "Google has ended the sign-in of "+account.Name, again
	case len(state.Missing) > 0:
		f.OK, f.Saw = false, fmt.Sprintf("%s has not granted: %s", account.Name, sentenceOf(rights(state.Missing)))
		f.Remedy = again + " and tick every box; or switch off what needs it."
	case state.soon():
		f.Remedy = strings.Join(state.advice(), " ")
	}
	return f
}

// soon reports whether a sign-in made in testing ends within two days.
func (s accountState) soon() bool { return s.DaysLeft >= 0 && s.DaysLeft <= 2 }
