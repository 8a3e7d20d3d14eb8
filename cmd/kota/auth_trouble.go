package main

import (
	"errors"
	"fmt"
	"strings"

	"kota/auth"
	"kota/metadata"
)

// A trouble is something that keeps an account from being used, in words for
// whoever sits at the terminal.
type trouble struct {
	Problem string `json:"problem,omitempty"` // "" is no trouble
	Remedy  string `json:"remedy,omitempty"`
}

func (t trouble) String() string {
	if t.Remedy == "" {
		return t.Problem
	}
	return strings.TrimSuffix(t.Problem, ".") + ". " + t.Remedy
}

// troubleOf says what an error of auth means to the user.
func troubleOf(err error) trouble {
	var answer *metadata.Error
	if errors.As(explainAuth(err), &answer) {
		return trouble{answer.Message, forUser(answer.Hint)}
	}
	return trouble{Problem: err.Error()}
}

// accountTrouble is what keeps that account from being used, as far as it is
// known without asking Google.
func (a *app) accountTrouble(account auth.Account) trouble {
	again := "Run `kota auth login" + accountFlag(account.Name) + "`."
	days, stated := account.DaysLeft(a.now())
	switch {
	case account.Problem != nil:
		return troubleOf(account.Problem)
	case !account.Ended.IsZero():
		seen := account.Ended.In(a.zone()).Format("2006-01-02 15:04")
		return trouble{fmt.Sprintf("Google has ended this sign-in (seen on %s)", seen), again}
	case stated && days < 0:
		return trouble{"Google has ended this sign-in", again}
	}
	return trouble{}
}

// signInTroubles are what keeps more than one account from being used.
func (a *app) signInTroubles(accounts []auth.Account) []trouble {
	found := []trouble{}
	_, err := a.accounts().Client()
	switch {
	case errors.Is(err, auth.ErrNoClient):
		if len(accounts) > 0 {
			found = append(found, troubleOf(err))
		}
	case err != nil:
		t := troubleOf(err)
		t.Problem = "the stored OAuth client cannot be used: " + t.Problem
		found = append(found, t)
	}
	if len(accounts) > 0 && !accounts[0].Default {
		_, err := a.accounts().Find("")
		found = append(found, troubleOf(err))
	}
	for i := range found {
		found[i] = a.advisedTrouble(found[i])
	}
	return found
}
