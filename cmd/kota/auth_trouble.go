package main

import (
	"errors"
	"strings"

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
