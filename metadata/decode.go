package metadata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A ReadResult is the result of Schema.Read.
type ReadResult struct {
	Args     json.RawMessage // repaired to fit the schema, with defaults filled in
	Repaired []string        // the repairs, at most 20: "maxResults read as max_results"
}

// Decode is Read without repairs of misspelt names.
func (s *Schema) Decode(args json.RawMessage, target any) error {
	_, err := s.Read(args, target, Sends)
	return err
}

// Read reads the arguments of a call with this effect into the value that target points to.
// The value should be zero. Null or no arguments count as {}. Read repairs the form of the
// arguments as the schema allows and fills in defaults. It corrects a misspelt argument
// name only if the effect is Reads or Writes. In a call that sends or destroys, the argument
// may decide who receives something or what is lost.
//
// If the arguments do not fit, Read returns an *Error with ValidationError, the first 20
// problems and the schema's JSON. Any other error means that the type of target does not
// match the schema. Read does not change args, and target shares no memory with args. Read
// refuses more than 8 MiB, 100 levels of nesting or 100,000 values, and repeated keys.
func (s *Schema) Read(args json.RawMessage, target any, effect Effect) (ReadResult, error) {
	m := newRepairLog(effect)
	v, problems := s.parse(args, m)
	if problems != nil {
		return ReadResult{}, s.argumentError(problems)
	}
	text := v.append(nil)
	err := json.Unmarshal(text, target)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && strings.HasPrefix(wrong.Value, "number ") {
		return ReadResult{}, s.argumentError([]Problem{outOfRange(wrong)})
	}
	if err != nil {
		return ReadResult{}, fmt.Errorf("decode arguments: %w", err)
	}
	return ReadResult{Args: text, Repaired: m.notes}, nil
}

// parse decodes, repairs and checks the arguments.
func (s *Schema) parse(args json.RawMessage, m *repairLog) (*value, []Problem) {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	v, problems := parse(args)
	if problems != nil {
		return nil, problems
	}
	if v.kind == isNull || v.kind == isString && (v.text == "" || v.text == "null") {
		v = &value{kind: isObject}
	}
	v, _ = s.content().shape.repair(s.content().shape.unwrapArguments(v, m), m)
	if problems := s.check(v); problems != nil {
		return nil, problems
	}
	return v, nil
}

// outOfRange returns the problem of a number that its Go type cannot hold.
func outOfRange(wrong *json.UnmarshalTypeError) Problem {
	p := Problem{Path: wrong.Field, Expected: "a number within ±1.7e308", Got: shorten(strings.TrimPrefix(wrong.Value, "number "))}
	switch wrong.Type.Kind() {
	case reflect.Int, reflect.Int64:
		p.Expected = "an integer of at most 64 bits"
	case reflect.Uint, reflect.Uint64:
		p.Expected = "a non-negative integer of at most 64 bits"
	}
	return p
}

// maxProblems is the maximum number of problems that one error lists. Without
// it, a list of 100,000 wrong items would make an error with 100,000 problems.
// The model gets the other problems with its next call.
const maxProblems = 20

func (s *Schema) argumentError(problems []Problem) *Error {
	total := len(problems)
	problems = problems[:min(total, maxProblems)]
	sentences := make([]string, len(problems))
	for i, p := range problems {
		sentences[i] = p.String()
	}
	if total > len(problems) {
		sentences = append(sentences, "and "+strconv.Itoa(total-len(problems))+" more")
	}
	count := CountOf(total, "problem")
	return &Error{
		Code:     ValidationError,
		Message:  count + " with the arguments: " + strings.Join(sentences, "; "),
		Hint:     hint(problems),
		Problems: problems,
		Schema:   s.content().raw,
	}
}

// hint returns the next step, with the first suggested name or value.
func hint(problems []Problem) string {
	const fix = "Fix these problems and call again; the schema describes each argument."
	for _, p := range problems {
		switch {
		case p.Suggestion != "":
			return "Try " + strconv.Quote(p.Suggestion) + " for " + p.Path + ". " + fix
		case p.Got == unknownArgument:
			return "There is no argument " + p.Path + "; pass its content in an argument of the schema. " + fix
		}
	}
	return fix
}
