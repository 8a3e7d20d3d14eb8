package metadata

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

type letterIn struct {
	To     []string `json:"to"`
	Body   string   `json:"body,omitempty"`
	Draft  bool     `json:"draft,omitempty"`
	Limit  int      `json:"limit,omitempty" max:"50"`
	Repeat string   `json:"repeat,omitempty"`
}

func refusal(t *testing.T, s *Schema, args string) *Error {
	t.Helper()
	var refused *Error
	if err := s.Decode(json.RawMessage(args), new(letterIn)); !errors.As(err, &refused) {
		t.Fatalf("%s: got %v, want a refusal", args, err)
	}
	return refused
}

func TestUnknownArgumentSuggestsSynonym(t *testing.T) {
	s := mustInfer[letterIn](t)
	for _, test := range []struct{ name, args, want string }{
		{"what others call it", `{"to":["a"],"text":"hi"}`, "body"},
		{"in other letters", `{"to":["a"],"maxResults":3}`, "limit"},
		{"by the list's item", `{"recipient":"a"}`, "to"},
		{"the only one that is missing", `{"whom":["a"]}`, "to"},
		{"never one that was given", `{"to":["a"],"body":"x","text":"hi"}`, ""},
		{"never one that it does not fit", `{"to":["a"],"count":"many"}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, p := range refusal(t, s, test.args).Problems {
				if p.Got == unknownArgument && p.Suggestion != test.want {
					t.Errorf("%s: suggested %q, want %q", p.Path, p.Suggestion, test.want)
				}
			}
		})
	}
}

func TestHintKeepsTextOfUnknownArgument(t *testing.T) {
	refused := refusal(t, mustInfer[letterIn](t), `{"to":["a"],"colour":"red and long","draft":true}`)
	if !strings.Contains(refused.Hint, "There is no argument colour; pass its content") {
		t.Errorf("hint %q", refused.Hint)
	}
}
