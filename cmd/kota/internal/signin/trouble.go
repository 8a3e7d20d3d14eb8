package signin

import (
	"errors"
	"strings"

	"kota/metadata"
)

// A Trouble is something that keeps an account from being used, in words for
// whoever sits at the terminal.
type Trouble struct {
	Problem string `json:"problem,omitempty"` // "" is no trouble
	Remedy  string `json:"remedy,omitempty"`
}

func (t Trouble) String() string {
	if t.Remedy == "" {
		return t.Problem
	}
	return strings.TrimSuffix(t.Problem, ".") + ". " + t.Remedy
}

// TroubleOf says what an error of auth means to the user.
func TroubleOf(err error) Trouble {
	var answer *metadata.Error
	if errors.As(Explain(err), &answer) {
		return Trouble{answer.Message, forUser(answer.Hint)}
	}
	return Trouble{Problem: err.Error()}
}
