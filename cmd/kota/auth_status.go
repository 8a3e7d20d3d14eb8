package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kota/auth"
)

// An accountState is what `kota auth status` says of an account.
type accountState struct {
	Account  string    `json:"account"`
	Address  string    `json:"address,omitempty"`
	Default  bool      `json:"default"`
	Granted  []string  `json:"granted"` // scopes
	Missing  []string  `json:"missing"` // scopes that the bundles that are on need
	SignedIn time.Time `json:"signed_in"`
	AgeDays  int       `json:"age_days"`
	DaysLeft int       `json:"days_left"`      // until the sign-in ends: for sure, or if the OAuth client is in testing
	Stated   bool      `json:"days_left_sure"` // Google said so
	Kept     string    `json:"kept_in"`        // keyring or file
	Problem  string    `json:"problem,omitempty"`
}

func newAuthStatus(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List the accounts, what they granted and how long they last",
		Long: `List the accounts, what they granted and how long they last. Nothing is asked of
Google. The exit status is 1 when an account cannot be used.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return a.authStatus(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (a *app) authStatus(asJSON bool) error {
	if err := a.load(); err != nil {
		return err
	}
	accounts, err := a.accounts().List()
	if err != nil {
		return forPerson(err)
	}
	states := []accountState{}
	for _, account := range accounts {
		states = append(states, a.stateOf(account))
	}
	if asJSON {
		err = a.printJSON(map[string]any{"accounts": states})
	} else {
		err = a.printStates(states)
	}
	if err != nil {
		return err
	}
	for _, state := range states {
		if state.Problem != "" {
			return fmt.Errorf("auth status: the account %s cannot be used", state.Account)
		}
	}
	return nil
}

func (a *app) stateOf(account auth.Account) accountState {
	state := accountState{
		Account: account.Name, Address: account.Address, Default: account.Default,
		Granted: account.Scopes, Missing: lacking(account.Scopes, a.scopesOn()),
		SignedIn: account.SignedIn, AgeDays: int(a.now().Sub(account.SignedIn).Hours() / 24), Kept: "file",
	}
	if account.Keyring {
		state.Kept = "keyring"
	}
	state.DaysLeft, state.Stated = account.DaysLeft(a.now())
	if account.Problem != nil {
		state.Problem = account.Problem.Error()
	}
	return state
}

// scopesOn are the scopes that the bundles that are on need.
func (a *app) scopesOn() []string {
	wanted, err := a.loginBundles(nil)
	if err != nil { // none is on
		return nil
	}
	return auth.Narrow(a.policy().Scopes(wanted))
}

func (a *app) printStates(states []accountState) error {
	if len(states) == 0 {
		_, err := fmt.Fprintf(a.stdout, "%s.\n", capital(a.signInMissing()))
		return err
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, state := range states {
		mark := ""
		if state.Default {
			mark = "default"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\tsigned in %s\t%s\n", state.Account, mark, sentenceOf(rights(auth.Narrow(state.Granted))), days(state.AgeDays), state.Kept)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, state := range states {
		for _, line := range state.advice() {
			if _, err := fmt.Fprintf(a.stdout, "%s: %s\n", state.Account, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// advice is what the user should know or do about the account.
func (s accountState) advice() []string {
	lines := []string{}
	if s.Problem != "" {
		lines = append(lines, s.Problem)
	}
	if len(s.Missing) > 0 {
		lines = append(lines, fmt.Sprintf("not granted: %s. Run `kota auth login --account %s` and tick every box.", sentenceOf(rights(s.Missing)), quoteArg(s.Account)))
	}
	switch {
	case s.Problem != "":
	case s.Stated && s.DaysLeft < 0:
		lines = append(lines, fmt.Sprintf("Google has ended this sign-in: run `kota auth login --account %s`.", quoteArg(s.Account)))
	case s.Stated:
		lines = append(lines, fmt.Sprintf("Google ends this sign-in in %d days: your OAuth client is in testing. Publish it in Google's console, then sign in again.", s.DaysLeft))
	case s.DaysLeft >= 0:
		lines = append(lines, fmt.Sprintf("if your OAuth client is in testing, Google ends this sign-in in %d days: publish it in Google's console, then sign in again.", s.DaysLeft))
	}
	return lines
}

func days(n int) string {
	switch n {
	case 0:
		return "today"
	case 1:
		return "yesterday"
	}
	return fmt.Sprintf("%d days ago", n)
}

func capital(sentence string) string {
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// quoteArg is an argument as a shell takes it.
func quoteArg(arg string) string {
	safe := strings.IndexFunc(arg, func(r rune) bool {
		return !(r == '@' || r == '.' || r == '-' || r == '_' || r == '+' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) < 0
	if safe && arg != "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
