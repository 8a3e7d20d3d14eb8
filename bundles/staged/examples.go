package staged

import (
	"encoding/json"
	"maps"
	"slices"

	"kota/metadata"
)

// ExampleHandle is the handle in examples. The real answer has another handle.
const ExampleHandle = "s_0123456789"

// An Example is a call at one stage of a flow, with its answer.
type Example struct {
	Stage  string // of the answer
	Title  string
	Args   Call
	Answer ExampleAnswer
}

// An ExampleAnswer computes the answer to a call when it is needed.
type ExampleAnswer func() (Answer, error)

// MarshalJSON encodes the answer.
func (a ExampleAnswer) MarshalJSON() ([]byte, error) {
	out, err := a()
	if err != nil {
		return nil, err
	}
	return metadata.Plain(out)
}

// Examples returns the calls that make the example document of a type. Their order is
// discovery (if there are several types), instructions, creation with the handle, creation
// at once.
func (f Flow) Examples(t DocumentType) []Example {
	e := t.Example
	doc := Document{Type: t.Name, Period: e.Period, Title: e.Title}
	begin := Call{Type: t.Name, Period: e.Period, Title: e.Title}
	oneCall := begin
	oneCall.Answers = e.answers()
	created := func(handle string) ExampleAnswer {
		return func() (Answer, error) { return createdAnswer(doc, e.Created, handle, ""), nil }
	}
	examples := []Example{
		{stageInstructions, "Instructions for " + t.Name, begin, func() (Answer, error) {
			starter, err := t.starter(doc, nil, e.Prefill)
			return instructionsAnswer(t, doc, ExampleHandle, starter, ""), err
		}},
		{stageCreated, "Create it", Call{Answers: e.answers(), Handle: ExampleHandle}, created(ExampleHandle)},
		{stageCreated, t.Name + " at once", oneCall, created("")},
	}
	if len(f.Types) == 1 {
		return examples
	}
	return slices.Insert(examples, 0, Example{stageDiscovery, "Which types there are", Call{}, func() (Answer, error) {
		return discoveryAnswer(f.Types, Document{}, ""), nil
	}})
}

// answers returns the example's answers by field.
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
