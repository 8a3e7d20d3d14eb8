package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kota/auth"
	"kota/bundles"
)

// An accountState is what `kota auth status` says of an account. Of one whose
// file cannot be used nothing but its name is known.
type accountState struct {
	Account  string    `json:"account"`
	Address  string    `json:"address,omitempty"`
	Default  bool      `json:"default"`
	Granted  []string  `json:"granted"` // scopes
	Missing  []string  `json:"missing"` // scopes that the bundles that are on need
	SignedIn time.Time `json:"signed_in,omitzero"`
	AgeDays  *int      `json:"age_days,omitempty"`
	DaysLeft *int      `json:"days_left,omitempty"` // until the sign-in ends: for sure, or if the OAuth client is in testing
	Stated   bool      `json:"days_left_sure"`      // Google said so
	Kept     string    `json:"kept_in,omitempty"`   // keyring or file
	Checked  bool      `json:"checked"`             // Google was asked just now, and accepts the sign-in
	trouble
}

// statusFlags are what `kota auth status` is told.
type statusFlags struct{ json, check bool }

func newAuthStatus(a *app) *cobra.Command {
	var flags statusFlags
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List the accounts, what they granted and how long they last",
		Long: `List the accounts, what they granted and how long they last. Google is asked
with --check alone; otherwise this is what KOTA last heard of it. The exit status
is 1 when something keeps an account from being used.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.authStatus(cmd.Context(), flags) },
	}
	addJSON(&flags.json, cmd)
	cmd.Flags().BoolVar(&flags.check, "check", false, "ask Google whether the sign-ins still last")
	return cmd
}

func (a *app) authStatus(ctx context.Context, flags statusFlags) error {
	if err := a.load(); err != nil {
		return err
	}
	accounts, err := a.accounts().List()
	if err != nil {
		return forPerson(err)
	}
	troubles, states := a.signInTroubles(accounts), []accountState{}
	for _, account := range accounts {
		asked := flags.check && account.Problem == nil
		if asked {
			account.Problem = a.accounts().Check(ctx, account.Name)
		}
		state := a.stateOf(account)
		state.Checked = asked && account.Problem == nil
		states = append(states, state)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if flags.json {
		err = a.PrintJSON(map[string]any{"accounts": states, "problems": troubles})
	} else {
		err = a.printStates(states, troubles)
	}
	if err != nil {
		return err
	}
	for _, state := range states {
		if state.Problem != "" {
			return fmt.Errorf("auth status: the account %s cannot be used", state.Account)
		}
	}
	if len(troubles) > 0 {
		return errors.New("auth status: not everything is well")
	}
	return nil
}

func (a *app) stateOf(account auth.Account) accountState {
	state := accountState{
		Account: account.Name, Address: account.Address, Default: account.Default,
		Granted: []string{}, Missing: []string{}, trouble: a.advisedTrouble(a.accountTrouble(account)),
	}
	if account.SignedIn.IsZero() {
		return state
	}
	days, stated := account.DaysLeft(a.now())
	state.Granted, state.Missing = account.Scopes, lacking(account.Scopes, a.scopesOn())
	state.SignedIn, state.AgeDays = account.SignedIn, new(int(a.now().Sub(account.SignedIn).Hours()/24))
	state.DaysLeft, state.Stated, state.Kept = &days, stated, "file"
	if account.Keyring {
		state.Kept = "keyring"
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

func (a *app) printStates(states []accountState, troubles []trouble) error {
	for _, t := range troubles {
		if _, err := fmt.Fprintf(a.Stdout, "%s\n", capital(t.String())); err != nil {
			return err
		}
	}
	if len(states) == 0 && len(troubles) == 0 {
		if _, err := fmt.Fprintf(a.Stdout, "%s.\n", capital(a.signInMissing())); err != nil || a.hasClient() {
			return err
		}
		return a.say(a.Stdout, "\n%s", clientSteps)
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, state := range states {
		fmt.Fprintln(w, strings.Join(state.row(), "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, state := range states {
		if line := state.advice(); line != "" {
			if err := a.say(a.Stdout, "%s: %s\n", state.Account, line); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprint(a.Stdout, testingNotice(states))
	return err
}

func (s accountState) row() []string {
	mark := ""
	if s.Default {
		mark = "default"
	}
	if s.Problem != "" {
		return []string{s.Account, mark, "cannot be used"}
	}
	row := []string{s.Account, mark, sentenceOf(rights(auth.Narrow(s.Granted))), "signed in " + days(*s.AgeDays), s.Kept}
	if s.Checked {
		row = append(row, "Google accepts it now")
	}
	return row
}

// advice is what the user should know or do about the account; "" is nothing.
func (s accountState) advice() string {
	if s.Problem != "" {
		return s.trouble.String()
	}
	lines := []string{}
	if len(s.Missing) > 0 {
		lines = append(lines, fmt.Sprintf("not granted: %s. Run `kota auth login --account %s` and tick every box.", sentenceOf(rights(s.Missing)), bundles.ShellWord(s.Account)))
	}
	if s.Stated {
		lines = append(lines, fmt.Sprintf("Google ends this sign-in %s.", inDays(*s.DaysLeft)))
	}
	return strings.Join(lines, " ")
}

const publish = "publish it under Google Auth Platform → Audience, then sign in again.\n"

// testingNotice says why sign-ins end, where they may for that reason.
func testingNotice(states []accountState) string {
	notice := ""
	for _, state := range states {
		switch {
		case state.Stated:
			return "Your OAuth client is in testing, where Google ends a sign-in after 7 days: " + publish
		case state.DaysLeft != nil && *state.DaysLeft >= 0 || state.Problem != "" && !state.SignedIn.IsZero():
			notice = "If your OAuth client is in testing, Google ends a sign-in after 7 days: " + publish
		}
	}
	return notice
}

func inDays(n int) string {
	switch n {
	case 0:
		return "today"
	case 1:
		return "in 1 day"
	}
	return fmt.Sprintf("in %d days", n)
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
