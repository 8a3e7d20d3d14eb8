// Package signin describes Google accounts in words: what a sign-in permits,
// what is wrong with it, and what the user has to do. It sends no request to
// Google. Begin with State and Explain.
package signin

import (
	"fmt"
	"strings"
	"time"

	"kota/auth"
	"kota/bundles"
)

// State is what `kota auth status` shows about an account. If the account's
// file cannot be used, only Account, Default and the problem are known.
type State struct {
	Account      string    `json:"account"`
	Address      string    `json:"address,omitempty"`
	Default      bool      `json:"default"`
	Granted      []string  `json:"granted"` // granted scopes
	Missing      []string  `json:"missing"` // needed scopes that are not granted
	SignedIn     time.Time `json:"signed_in,omitzero"`
	AgeDays      *int      `json:"age_days,omitempty"`
	DaysLeft     *int      `json:"days_left,omitempty"` // days until the sign-in ends; an assumption unless DaysLeftSure
	DaysLeftSure bool      `json:"days_left_sure"`      // whether Google gave the date
	StoredIn     string    `json:"kept_in,omitempty"`   // keyring or file
	Checked      bool      `json:"checked"`             // whether Google has just accepted the sign-in
	AccountProblem
}

// StateOf returns what is known about an account. needed are the scopes that
// the enabled bundles need. problem is why the account cannot be used, or zero.
func StateOf(account auth.Account, needed []string, now time.Time, problem AccountProblem) State {
	state := State{
		Account: account.Name, Address: account.Address, Default: account.Default,
		Granted: []string{}, Missing: []string{}, AccountProblem: problem,
	}
	if account.SignedIn.IsZero() {
		return state
	}
	days, stated := account.DaysLeft(now)
	state.Granted, state.Missing = account.Scopes, MissingScopes(account.Scopes, needed)
	state.SignedIn, state.AgeDays = account.SignedIn, new(int(now.Sub(account.SignedIn).Hours()/24))
	state.DaysLeft, state.DaysLeftSure, state.StoredIn = &days, stated, "file"
	if account.Keyring {
		state.StoredIn = "keyring"
	}
	return state
}

// Row returns the table row that shows the account.
func (s State) Row() []string {
	mark := ""
	if s.Default {
		mark = "default"
	}
	if s.Problem != "" {
		return []string{s.Account, mark, "cannot be used"}
	}
	row := []string{s.Account, mark, JoinWords(DescribeScopes(auth.Narrow(s.Granted))), "signed in " + DaysAgo(*s.AgeDays), "token in " + map[string]string{"file": "a file", "keyring": "the keyring"}[s.StoredIn]}
	if s.Checked {
		row = append(row, "Google accepts it now")
	}
	return row
}

// Advice returns what the user should know or do about the account, or "".
func (s State) Advice() string {
	if s.Problem != "" {
		return s.AccountProblem.String()
	}
	lines := []string{}
	if len(s.Missing) > 0 {
		lines = append(lines, fmt.Sprintf("not granted: %s. Run `kota auth login --account %s` and tick every box.", JoinWords(DescribeScopes(s.Missing)), bundles.ShellWord(s.Account)))
	}
	if s.DaysLeftSure {
		lines = append(lines, fmt.Sprintf("Google ends this sign-in %s.", inDays(*s.DaysLeft)))
	}
	return strings.Join(lines, " ")
}

const publishHint = "publish it under Google Auth Platform → Audience, then sign in again.\n"

// TestingNotice explains why sign-ins end after some days. It returns "" if
// nothing suggests that the OAuth client is in testing.
func TestingNotice(states []State) string {
	notice := ""
	for _, state := range states {
		switch {
		case state.DaysLeftSure:
			return "Your OAuth client is in testing, where Google ends a sign-in after 7 days: " + publishHint
		case state.DaysLeft != nil && *state.DaysLeft >= 0 || state.Problem != "" && !state.SignedIn.IsZero():
			notice = "If your OAuth client is in testing, Google ends a sign-in after 7 days: " + publishHint
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

// DaysAgo says in words that something happened n days ago.
func DaysAgo(n int) string {
	switch n {
	case 0:
		return "today"
	case 1:
		return "yesterday"
	}
	return fmt.Sprintf("%d days ago", n)
}

// Capitalize returns the sentence with a capital first letter.
func Capitalize(sentence string) string {
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// EndsSoon reports whether the sign-in ends within two days, according to Google.
func (s State) EndsSoon() bool { return s.DaysLeftSure && *s.DaysLeft <= 2 }

// Label returns an account's address and whether it is the default, in
// brackets, or "".
func Label(account auth.Account) string {
	parts := []string{}
	if account.Address != "" && account.Address != account.Name {
		parts = append(parts, account.Address)
	}
	if account.Default {
		parts = append(parts, "the default account")
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// JoinWords joins words with semicolons. It returns "nothing" if there are
// none.
func JoinWords(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, "; ")
}
