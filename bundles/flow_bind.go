package bundles

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"kota/metadata"
)

// maxLine is how long a type's line may be, in characters.
const maxLine = 80

// BindFlow returns the action of a flow. The action writes, and can answer with
// VALIDATION_ERROR, CONFLICT and UNAVAILABLE besides what it declares. Its
// examples are those of the first type, with the answers they get.
//
// It panics when the flow misdescribes itself: no types, a name that two have
// or that is not lower_snake_case, a line that is none, or nothing to keep or
// create it with. What costs more to find out is for bundletest: whether
// templates, fields and examples are what they say.
func BindFlow(f Flow) Action {
	if err := f.check(); err != nil {
		panic(fmt.Sprintf("bind flow %q: %v", f.Action.Name, err))
	}
	f.Action.Effect = metadata.Writes
	for _, code := range []metadata.Code{metadata.ValidationError, metadata.Conflict, metadata.Unavailable} {
		if !slices.Contains(f.Action.Errors, code) {
			f.Action.Errors = append(f.Action.Errors[:len(f.Action.Errors):len(f.Action.Errors)], code)
		}
	}
	for _, e := range f.Examples(f.Types[0]) {
		if e.Args.Handle == "" {
			f.Action.Examples = append(f.Action.Examples[:len(f.Action.Examples):len(f.Action.Examples)], metadata.Example{Title: e.Title, Args: e.Args, Answer: e.Answer})
		}
	}
	action := Bind(f.Action, f.run)
	action.Flow = &f
	return action
}

func (f Flow) check() error {
	seen := map[string]bool{}
	for _, t := range f.Types {
		if err := t.checkWords(); err != nil {
			return err
		}
		if seen[t.Name] {
			return fmt.Errorf("two types are named %q", t.Name)
		}
		seen[t.Name] = true
	}
	switch {
	case len(f.Types) == 0:
		return fmt.Errorf("there are no types")
	case f.Stages == nil || f.Create == nil:
		return fmt.Errorf("Stages and Create are both needed")
	}
	return nil
}

// ExampleHandle stands in the examples of a flow for the handle that the real
// answer has.
const ExampleHandle = "s_0123456789"

// A StageExample is a call at one stage of a flow, and what is answered.
type StageExample struct {
	Stage  string // the answer's
	Title  string
	Args   StagedCall
	Answer ExampleAnswer
}

// An ExampleAnswer is what a call is answered with, worked out when somebody
// wants to know.
type ExampleAnswer func() (StagedAnswer, error)

// MarshalJSON writes the answer.
func (a ExampleAnswer) MarshalJSON() ([]byte, error) {
	out, err := a()
	if err != nil {
		return nil, err
	}
	return metadata.Plain(out)
}

// Examples returns the calls that make the example document of a type, in
// order: one of discovery, one of instructions, one that creates it with the
// handle, and one that creates it at once.
func (f Flow) Examples(t DocumentType) []StageExample {
	e := t.Example
	doc := Document{Type: t.Name, Period: e.Period, Title: e.Title}
	atOnce := StagedCall{Type: t.Name, Period: e.Period, Title: e.Title, Answers: e.answers()}
	created := func(handle string) ExampleAnswer {
		return func() (StagedAnswer, error) { return createdAnswer(doc, e.Created, handle, ""), nil }
	}
	return []StageExample{
		{inDiscovery, "Which types there are", StagedCall{}, func() (StagedAnswer, error) { return discoveryAnswer(f.Types, Document{}, ""), nil }},
		{inInstructions, "Instructions for " + t.Name, StagedCall{Type: t.Name, Period: e.Period, Title: e.Title}, func() (StagedAnswer, error) {
			starter, err := t.starter(doc, e.Knows)
			return instructionsAnswer(t, doc, ExampleHandle, starter, ""), err
		}},
		{isCreated, "Create it", StagedCall{Answers: e.answers(), Handle: ExampleHandle}, created(ExampleHandle)},
		{isCreated, t.Name + " at once", atOnce, created("")},
	}
}

// Check returns what is wrong with a type, such as its user has made up: its
// name, its line or its template.
func (t DocumentType) Check() error {
	if err := t.checkWords(); err != nil {
		return err
	}
	_, err := t.parse()
	return err
}

func (t DocumentType) checkWords() error {
	switch {
	case !nameForm.MatchString(t.Name):
		return fmt.Errorf("the name %q is not lower_snake_case", t.Name)
	case t.Line == "" || utf8.RuneCountInString(t.Line) > maxLine:
		return fmt.Errorf("the line of %s is empty or longer than %d characters", t.Name, maxLine)
	}
	return nil
}
