package signin

import (
	"errors"
	"strings"

	"kota/metadata"
)

// AccountProblem is why an account or the OAuth client cannot be used, in words
// for the user at the terminal.
type AccountProblem struct {
	Problem string `json:"problem,omitempty"` // "" if there is none
	Remedy  string `json:"remedy,omitempty"`
}

func (t AccountProblem) String() string {
	if t.Remedy == "" {
		return t.Problem
	}
	return strings.TrimSuffix(t.Problem, ".") + ". " + t.Remedy
}

// ProblemOf returns an error of package auth as a problem in words for the
// user.
func ProblemOf(err error) AccountProblem {
	var answer *metadata.Error
	if errors.As(Explain(err), &answer) {
		return AccountProblem{answer.Message, hintForUser(answer.Hint)}
	}
	return AccountProblem{Problem: err.Error()}
}
