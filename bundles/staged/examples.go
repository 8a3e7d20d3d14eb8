package staged

import (
	"encoding/json"
	"maps"
	"slices"

	"kota/metadata"
)

// ExampleHandle stands in the examples of a flow for the handle that the real
// answer has.
const ExampleHandle = "s_0123456789"

// A Example is a call at one stage of a flow, and what is answered.
type Example struct {
	Stage  string // the answer's
	Title  string
	Args   Call
	Answer ExampleAnswer
}

// An ExampleAnswer is what a call is answered with, worked out when somebody
// wants to know.
type ExampleAnswer func() (Answer, error)

// MarshalJSON writes the answer.
func (a ExampleAnswer) MarshalJSON() ([]byte, error) {
	out, err := a()
	if err != nil {
		return nil, err
	}
	return metadata.Plain(out)
}

// Examples returns the calls that make the example document of a type, in
// order: one of discovery where there is a choice, one of instructions, one that
// creates it with the handle, and one that creates it at once.
func (f Flow) Examples(t DocumentType) []Example {
	e := t.Example
	doc := Document{Type: t.Name, Period: e.Period, Title: e.Title}
	begin := Call{Type: t.Name, Period: e.Period, Title: e.Title}
	atOnce := begin
	atOnce.Answers = e.answers()
	created := func(handle string) ExampleAnswer {
		return func() (Answer, error) { return createdAnswer(doc, e.Created, handle, ""), nil }
	}
	examples := []Example{
		{inInstructions, "Instructions for " + t.Name, begin, func() (Answer, error) {
			starter, err := t.starter(doc, nil, e.Prefill)
			return instructionsAnswer(t, doc, ExampleHandle, starter, ""), err
		}},
		{isCreated, "Create it", Call{Answers: e.answers(), Handle: ExampleHandle}, created(ExampleHandle)},
		{isCreated, t.Name + " at once", atOnce, created("")},
	}
	if len(f.Types) == 1 {
		return examples
	}
	return slices.Insert(examples, 0, Example{inDiscovery, "Which types there are", Call{}, func() (Answer, error) {
		return discoveryAnswer(f.Types, Document{}, ""), nil
	}})
}

// answers are those of the example, by field.
func (e DocumentExample) answers() map[string]json.RawMessage {
	raw, err := json.Marshal(e.Answers)
	if err != nil {
		return nil
	}
	answers := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &answers); err != nil {
		return nil
	}
	maps.DeleteFunc(answers, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	return answers
}
