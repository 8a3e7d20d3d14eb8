package main

import (
	"fmt"
	"strings"
	"time"

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

// stateOf is what is known of an account that needs those scopes. The trouble is what
// keeps it from being used.
func stateOf(account auth.Account, needed []string, now time.Time, keeps trouble) accountState {
	state := accountState{
		Account: account.Name, Address: account.Address, Default: account.Default,
		Granted: []string{}, Missing: []string{}, trouble: keeps,
	}
	if account.SignedIn.IsZero() {
		return state
	}
	days, stated := account.DaysLeft(now)
	state.Granted, state.Missing = account.Scopes, lacking(account.Scopes, needed)
	state.SignedIn, state.AgeDays = account.SignedIn, new(int(now.Sub(account.SignedIn).Hours()/24))
	state.DaysLeft, state.Stated, state.Kept = &days, stated, "file"
	if account.Keyring {
		state.Kept = "keyring"
	}
	return state
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

// soon reports whether Google has said that the sign-in ends within two days.
func (s accountState) soon() bool { return s.Stated && *s.DaysLeft <= 2 }

// inBrackets is what there is to say of an account beside its name.
func inBrackets(account auth.Account) string {
	said := []string{}
	if account.Address != "" && account.Address != account.Name {
		said = append(said, account.Address)
	}
	if account.Default {
		said = append(said, "the default account")
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + strings.Join(said, ", ") + ")"
}

func sentenceOf(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, "; ")
}
