package metadata

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// mailIn has an argument that is named like a wrapper.
type mailIn struct {
	Input map[string]string `json:"input,omitempty"`
	Limit int               `json:"limit,omitempty"`
	Dates []int             `json:"dates,omitempty"`
}

func TestRepairNotesHaveNoValues(t *testing.T) {
	mail := mustInfer[mailIn](t)
	for _, c := range []struct {
		name, args, want string
		effect           Effect
		repaired         []string
	}{
		{"an argument with one typo", `{"limt": 3}`, `{"limit":3}`, Writes, []string{"limt read as limit"}},
		{"a number in text for a list", `{"dates": "3"}`, `{"dates":[3]}`, Sends, []string{"dates read as a list of one"}},
		{"the wrapper of all arguments", `{"params": {"limit":3}}`, `{"limit":3}`, Sends, []string{"arguments taken from inside params"}},
		{"an argument that is called as a wrapper", `{"Input": {"limit":"3"}}`, `{"input":{"limit":"3"}}`, Sends, []string{"Input read as input"}},
		{"a value under a name of the caller's", `{"input": {"sesame": 3}}`, `{"input":{"sesame":"3"}}`, Sends, []string{"input.* read as text"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var in mailIn
			got, err := mail.Read(json.RawMessage(c.args), &in, c.effect)
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Args) != c.want || !slices.Equal(got.Repaired, c.repaired) {
				t.Errorf("read as %s with %q, want %s with %q", got.Args, got.Repaired, c.want, c.repaired)
			}
		})
	}
}

func TestTypoIsNotCorrectedInSends(t *testing.T) {
	mail := mustInfer[mailIn](t)
	for name, c := range map[string]struct {
		args   string
		effect Effect
	}{
		"whose call sends":              {`{"limt": 3}`, Sends},
		"whose call destroys":           {`{"limt": 3}`, Destroys},
		"whose value is of another":     {`{"limt": "many"}`, Writes},
		"that is there already":         {`{"limit": 2, "limt": 3}`, Writes},
		"where five names are not its":  {`{"limt": 3, "a": 1, "b": 1, "c": 1, "d": 1}`, Writes},
		"when it is longer than a name": {`{"` + strings.Repeat("limit", 30) + `": 3}`, Writes},
	} {
		t.Run(name, func(t *testing.T) {
			problems := refused(t, mail, c.args, c.effect)
			if !slices.ContainsFunc(problems, func(p Problem) bool { return p.Got == unknownArgument }) {
				t.Errorf("got %+v, want an unknown argument", problems)
			}
		})
	}
}

// refused returns the problems of arguments that do not fit.
func refused(t *testing.T, s *Schema, args string, effect Effect) []Problem {
	t.Helper()
	_, err := s.Read(json.RawMessage(args), new(mailIn), effect)
	e, ok := err.(*Error)
	if !ok {
		t.Fatalf("got %v, want an *Error", err)
	}
	return e.Problems
}

func TestRepairNotesAreLimited(t *testing.T) {
	properties, sent := map[string]any{}, map[string]any{}
	for i := range maxNotes + 5 {
		name := fmt.Sprintf("number_%d", i)
		properties[name], sent[name] = map[string]any{"type": "integer"}, "7"
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "additionalProperties": false})
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseSchema(raw)
	if err != nil {
		t.Fatal(err)
	}
	args, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Read(args, &map[string]int{}, Reads)
	if err != nil || len(got.Repaired) != maxNotes {
		t.Errorf("%d repairs are named, %v, want %d", len(got.Repaired), err, maxNotes)
	}
}
