package metadata

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	fault "github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// maxFindings is the maximum number of problems that a check returns. To explain each of
// 100,000 wrong items would take minutes.
const maxFindings = 1000

// Check returns at most 1,000 reasons why value does not fit the schema, in the order of the
// schema. It returns nil if value fits. It repairs nothing and fills in no default. Use it
// for outputs and examples. The limits of Read apply.
func (s *Schema) Check(value json.RawMessage) []Problem {
	v, problems := parse(value)
	if problems != nil {
		return problems
	}
	return s.check(v)
}

func (s *Schema) check(v *value) []Problem {
	if s.content().shape.admits(v) {
		return nil
	}
	compiled, err := s.content().compiled()
	if err != nil {
		return []Problem{{Expected: "a valid JSON Schema", Got: err.Error()}}
	}
	err = compiled.Validate(v.plain())
	if err == nil {
		return nil
	}
	f := findings{shape: s.content().shape, value: v}
	if invalid := (*jsonschema.ValidationError)(nil); errors.As(err, &invalid) {
		f.explainAll(leaves(invalid, nil))
	}
	return f.sorted()
}

// findings turns the validator's errors, which come in random order and in the words of JSON
// Schema, into problems.
type findings struct {
	shape *shape
	value *value
	found []finding
}

type finding struct {
	Problem
	order []int // the order of its location
}

// A location is a position in the arguments, with its schema and value.
type location struct {
	path  path
	shape *shape
	value *value // nil if absent
	order []int  // the ranks of the steps of path; locations are compared by them
}

// leaves adds e to found or, if e only groups other errors, the leaves of those. It returns
// the longer list.
func leaves(e *jsonschema.ValidationError, found []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *fault.Schema, *fault.Group, *fault.AllOf, *fault.Reference:
		for _, cause := range e.Causes {
			found = leaves(cause, found)
		}
		return found
	}
	return append(found, e)
}

// explainAll explains the first maxFindings leaves, in a fixed order.
func (f *findings) explainAll(leaves []*jsonschema.ValidationError) {
	slices.SortFunc(leaves, func(a, b *jsonschema.ValidationError) int {
		return slices.Compare(a.InstanceLocation, b.InstanceLocation)
	})
	for _, e := range leaves[:min(len(leaves), maxFindings)] {
		f.explain(e)
	}
}

func (f *findings) explain(e *jsonschema.ValidationError) {
	at := f.at(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *fault.Required:
		for _, name := range k.Missing {
			missing := at.member(name)
			f.add(missing, Problem{Expected: missing.shape.expected(), Got: missing.got()})
		}
	case *fault.AdditionalProperties:
		names := slices.Sorted(slices.Values(k.Properties))
		for _, name := range names[:min(len(names), maxFindings)] {
			f.add(at.member(name), at.unknown(name))
		}
	case *fault.Enum:
		f.add(at, Problem{Expected: at.shape.expected(), Got: at.got(), Suggestion: at.nearestValue()})
	case *fault.Type, *fault.Minimum, *fault.Maximum, *fault.MinLength, *fault.MaxLength, *fault.MinItems, *fault.MaxItems:
		f.add(at, Problem{Expected: at.shape.expected(), Got: at.got()})
	case *fault.Format:
		if _, ok := formatWords[k.Want]; ok {
			f.add(at, Problem{Expected: at.shape.expected(), Got: at.got()})
			return
		}
		f.add(at, Problem{Expected: "a string in the format " + k.Want, Got: at.got()})
	default:
		english := message.NewPrinter(language.English)
		f.add(at, Problem{Expected: "what the schema says (" + k.LocalizedString(english) + ")", Got: at.got()})
	}
}

func (f *findings) add(at location, p Problem) {
	p.Path = at.path.String()
	f.found = append(f.found, finding{p, at.order})
}

func (f *findings) sorted() []Problem {
	slices.SortFunc(f.found, func(a, b finding) int {
		return cmp.Or(slices.Compare(a.order, b.order), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Expected, b.Expected))
	})
	problems := make([]Problem, 0, len(f.found))
	for _, each := range f.found {
		// If a value breaks both limits, the two problems are equal.
		if n := len(problems); n > 0 && problems[n-1] == each.Problem {
			continue
		}
		problems = append(problems, each.Problem)
	}
	return problems[:min(len(problems), maxFindings)]
}

// at returns the location at the validator's path, whose steps are names and array indexes. If
// a value is absent on the way, it returns the location of that value.
func (f *findings) at(names []string) location {
	p := location{shape: f.shape, value: f.value}
	for _, name := range names {
		if p.value == nil {
			break
		}
		if p.value.kind == isArray {
			index, _ := strconv.Atoi(name)
			p = p.item(index)
			continue
		}
		p = p.member(name)
	}
	return p
}

func (p location) item(index int) location {
	return location{
		path:  append(slices.Clone(p.path), step{index: index, item: true}),
		shape: p.shape.item(),
		value: p.value.items[index],
		order: append(slices.Clone(p.order), index),
	}
}

// member returns the location of a member. Declared members have the ranks of their order in
// the schema; all other members come after them.
func (p location) member(name string) location {
	rank, ok := p.shape.index[name]
	if !ok {
		rank = len(p.shape.props)
	}
	return location{
		path:  append(slices.Clone(p.path), step{name: name}),
		shape: p.shape.child(name),
		value: p.value.member(name),
		order: append(slices.Clone(p.order), rank),
	}
}

// got returns the value at the location as the caller sent it, shortened.
func (p location) got() string {
	if p.value == nil {
		return gotNothing
	}
	text := shorten(string(p.value.raw))
	if p.value.raw == nil {
		text = shorten(string(p.value.append(nil)))
	}
	if p.value.kind == isString && strings.HasSuffix(text, "…") {
		return text + " (" + strconv.Itoa(len([]rune(p.value.text))) + " characters)"
	}
	return text
}

// gotNothing is Problem.Got for a missing argument.
const gotNothing = "nothing"

// gotTwice stands in a Problem's Got for a repeated key.
const gotTwice = "the key more than once"

// unknownArgument is Problem.Got for an argument that the schema does not have.
const unknownArgument = "an unknown argument"

// unknown returns the problem of an unknown property.
func (p location) unknown(name string) Problem {
	known := p.shape.findBySpelling(name)
	if known != nil && p.value.member(known.name) != nil {
		return Problem{Expected: "each argument only once", Got: "another spelling of " + strconv.Quote(known.name)}
	}
	problem := Problem{Expected: p.shape.names(), Got: unknownArgument, Suggestion: p.suggestArgument(name)}
	if known != nil {
		problem.Suggestion = known.name
	}
	return problem
}

func (p location) nearestValue() string {
	if near := Nearest(p.value.text, p.shape.enum, 1); len(near) > 0 {
		return near[0]
	}
	return ""
}

// String returns the problem as a sentence without a full stop: `limit: expected an
// integer between 1 and 50, got "many"`. For an unknown argument it does not list the
// known arguments.
func (p Problem) String() string {
	text := "expected " + p.Expected
	switch {
	case p.Got == gotNothing && p.Path != "":
		return p.Path + " is missing; give " + p.Expected
	case p.Got == gotTwice:
		return p.Path + " is given twice; give it once"
	case p.Got == unknownArgument:
		text = p.Got
	case p.Got != "":
		text += ", got " + p.Got
	}
	if p.Suggestion != "" {
		text += " (did you mean " + strconv.Quote(p.Suggestion) + "?)"
	}
	if p.Path == "" {
		return text
	}
	return p.Path + ": " + text
}
