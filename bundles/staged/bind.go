package staged

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"kota/bundles"
	"kota/metadata"
)

// maxTypeLine is the maximum length of the line of a type, in characters.
const maxTypeLine = 80

// defaultDescription is the default description of an action.
const defaultDescription = "Without type: lists types. With one: its fields and a starter. With answers: creates it."

// Bind returns the action of a flow. The action writes. It can return VALIDATION_ERROR,
// CONFLICT and UNAVAILABLE in addition to its declared errors. Bind adds the examples of the
// first type with their answers, except those that need a handle. An action without a
// description gets one that describes the stages.
//
// It panics if the flow has no types, or lacks Stages or Create. It also panics if two
// types share a name, or if a type fails DocumentType.Check. The package bundletest checks
// templates, fields and examples, because that costs more.
func Bind(f Flow) bundles.Action {
	if err := f.check(); err != nil {
		panic(fmt.Sprintf("bind flow %q: %v", f.Action.Name, err))
	}
	f.Action.Effect = metadata.Writes
	f.Action.Description = cmp.Or(f.Action.Description, defaultDescription)
	for _, code := range []metadata.Code{metadata.ValidationError, metadata.Conflict, metadata.Unavailable} {
		if !slices.Contains(f.Action.Errors, code) {
			f.Action.Errors = append(slices.Clip(f.Action.Errors), code)
		}
	}
	for _, e := range f.Examples(f.Types[0]) {
		if e.Args.Handle == "" {
			f.Action.Examples = append(slices.Clip(f.Action.Examples), metadata.Example{Title: e.Title, Args: e.Args, Answer: e.Answer})
		}
	}
	action := bundles.Bind(f.Action, f.run)
	action.Staged = &f
	return action
}

// FlowOf returns the flow that an action was bound from, or nil if the action is not
// staged.
func FlowOf(action bundles.Action) *Flow {
	flow, _ := action.Staged.(*Flow)
	return flow
}

func (f Flow) check() error {
	seen := map[string]bool{}
	for _, t := range f.Types {
		if err := t.Check(); err != nil {
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

// Check returns an error if the type's Name or Line is invalid. CheckTemplate checks its
// template.
func (t DocumentType) Check() error {
	switch {
	case !bundles.IsName(t.Name):
		return fmt.Errorf("the name %q is not lower_snake_case", t.Name)
	case t.Line == "" || utf8.RuneCountInString(t.Line) > maxTypeLine:
		return fmt.Errorf("the line of %s is empty or longer than %d characters", t.Name, maxTypeLine)
	}
	return nil
}
