package signin

import (
	"errors"
	"strings"

	"kota/metadata"
)

// Trouble is why an account cannot be used, in words for the user at the
// terminal.
type Trouble struct {
	Problem string `json:"problem,omitempty"` // "" without any
	Remedy  string `json:"remedy,omitempty"`
}

func (t Trouble) String() string {
	if t.Remedy == "" {
		return t.Problem
	}
	return strings.TrimSuffix(t.Problem, ".") + ". " + t.Remedy
}

// TroubleOf explains to the user what an error of auth means.
func TroubleOf(err error) Trouble {
	var answer *metadata.Error
	if errors.As(Explain(err), &answer) {
		return Trouble{answer.Message, forUser(answer.Hint)}
	}
	return Trouble{Problem: err.Error()}
}
