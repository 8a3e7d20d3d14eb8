package doctor

import (
	"context"
	"fmt"

	"kota/auth"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/signin"
)

// examineAccounts checks the Google accounts, if an enabled bundle needs one. If
// there are accounts, it also checks whether Google can be reached. Unlike `kota
// auth status --check`, it does not ask Google about the accounts.
func examineAccounts(a *app.App, ctx context.Context) []Finding {
	if len(a.EnabledScopes()) == 0 {
		return nil
	}
	accounts, err := a.Accounts().List()
	if err != nil {
		problem := signin.ProblemOf(err)
		return []Finding{{Check: "google", Saw: problem.Problem, Remedy: problem.Remedy}}
	}
	found := []Finding{}
	for _, problem := range a.SignInProblems(accounts) {
		found = append(found, Finding{Check: "google", Saw: problem.Problem, Remedy: problem.Remedy})
	}
	if len(accounts) == 0 && len(found) == 0 {
		return []Finding{{Check: "google", OK: true, Note: true, Saw: signin.JoinWords(googleBundles(a)) + " cannot be used yet: nobody is signed in to Google", Remedy: signin.Capitalize(a.SignInStep()) + "."}}
	}
	for _, account := range accounts {
		found = append(found, examineAccount(a, account))
	}
	if len(accounts) == 0 {
		return found
	}
	return append(found, examineGoogle(a, ctx)...)
}

// googleBundles returns the enabled bundles that need a Google account.
func googleBundles(a *app.App) []string {
	on, _ := a.LoginBundles(nil) // the caller knows that there is one
	return app.BundleNames(on)
}

func examineAccount(a *app.App, account auth.Account) Finding {
	state := a.StateOf(account)
	f := Finding{Check: "google", OK: true, Saw: fmt.Sprintf("%s may %s", account.Name, signin.JoinWords(signin.DescribeScopes(auth.Narrow(account.Scopes))))}
	if state.AgeDays != nil {
		f.Saw += "; signed in " + signin.DaysAgo(*state.AgeDays)
	}
	switch {
	case state.Problem != "":
		f.OK, f.Saw, f.Remedy = false, account.Name+": "+state.Problem, state.Remedy
	case len(state.Missing) > 0:
		f.OK, f.Saw = false, fmt.Sprintf("%s has not granted: %s", account.Name, signin.JoinWords(signin.DescribeScopes(state.Missing)))
		f.Remedy = "Run `kota auth login" + signin.AccountFlag(account.Name) + "` and tick every box; or disable the bundles that need it."
	case state.EndsSoon():
		f.Remedy = state.Advice()
	}
	return f
}
