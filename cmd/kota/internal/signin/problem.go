package signin

import (
	"errors"
	"strings"

	"kota/metadata"
)

// AccountProblem is why an account cannot be used, in words for the user at the
// terminal.
type AccountProblem struct {
	Problem string `json:"problem,omitempty"` // "" without any
	Remedy  string `json:"remedy,omitempty"`
}

func (t AccountProblem) String() string {
	if t.Remedy == "" {
		return t.Problem
	}
	return strings.TrimSuffix(t.Problem, ".") + ". " + t.Remedy
}

// ProblemOf explains to the user what an error of auth means.
func ProblemOf(err error) AccountProblem {
	var answer *metadata.Error
	if errors.As(Explain(err), &answer) {
		return AccountProblem{answer.Message, hintForUser(answer.Hint)}
	}
	return AccountProblem{Problem: err.Error()}
}
