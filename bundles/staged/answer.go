package staged

import (
	"cmp"
	"encoding/json"
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// A Call holds the arguments of every staged action, at every stage. No argument is
// required: the action asks for missing ones.
type Call struct {
	Type    string                     `json:"type,omitempty" alias:"kind,document_type,doc_type" max:"100" doc:"without: lists the types"`
	Period  string                     `json:"period,omitempty" alias:"date,day,week,month,about,subject" max:"200" doc:"\"2026-11-20\", \"2026-W47\", \"2026-11\", or what it is about"`
	Title   string                     `json:"title,omitempty" alias:"name" max:"500"`
	Answers map[string]json.RawMessage `json:"answers,omitzero" alias:"fields,values,content" doc:"the type's fields; all required ones create it"`
	Handle  string                     `json:"handle,omitempty" alias:"flow,session" max:"100" doc:"of an earlier answer, to continue"`
	Cancel  bool                       `json:"cancel,omitempty" doc:"cancel the handle"`
}

// An Answer is the answer to every call of a staged action.
type Answer struct {
	Stage        string                     `json:"stage" enum:"discovery,instructions,created,cancelled"`
	Note         string                     `json:"note,omitempty"`      // what is wrong with the handle, and what happened to the call
	Types        []TypeLine                 `json:"types,omitempty"`     // discovery
	Unfinished   []UnfinishedDocument       `json:"under_way,omitempty"` // discovery: unfinished documents that can be continued
	Handle       string                     `json:"handle,omitempty"`    // continues this document for 24 hours
	Type         string                     `json:"type,omitempty"`
	Period       string                     `json:"period,omitempty"`
	ID           string                     `json:"id,omitempty"` // created
	Title        string                     `json:"title,omitempty"`
	UndoID       string                     `json:"undo_id,omitempty"`  // created: undoes it
	Repeated     bool                       `json:"repeated,omitempty"` // created: it existed already, and nothing more was made
	Replaces     *ReplacedDocument          `json:"replaces,omitempty"` // the existing document of the period, whose next version is made
	Instructions string                     `json:"instructions,omitempty"`
	Fields       []string                   `json:"fields,omitempty"`  // "mood*:int how it was": a star marks a required field
	Starter      string                     `json:"starter,omitempty"` // the document so far, in Markdown
	Answers      map[string]json.RawMessage `json:"answers,omitempty"` // the answers so far
	Missing      []string                   `json:"missing,omitempty"` // required fields without an answer
	Next         Next                       `json:"next"`

	Provenance *bundles.Provenance `json:"provenance,omitempty"`
}

// A TypeLine is a type in the list of discovery.
type TypeLine struct {
	Type string `json:"type"`
	Line string `json:"line"`
}

// An UnfinishedDocument is a document whose answers are stored and that is not created
// yet.
type UnfinishedDocument struct {
	Handle string `json:"handle"`
	Type   string `json:"type"`
	Period string `json:"period,omitempty"`
}

// Next says what the caller should do next.
type Next struct {
	Ask     string          `json:"ask,omitempty"`     // what to find out first
	Call    *Call           `json:"call,omitempty"`    // an example of the next call of the same action
	Actions []metadata.Step `json:"actions,omitempty"` // other actions that may follow
}

// These are the stages of answers.
const (
	stageDiscovery    = "discovery"
	stageInstructions = "instructions"
	stageCreated      = "created"
	stageCancelled    = "cancelled"
)

func discoveryAnswer(types []DocumentType, doc Document, note string) Answer {
	out := Answer{Stage: stageDiscovery, Note: note, Types: []TypeLine{}, Next: Next{
		Ask:  "Choose the type that fits; ask the user if none clearly does.",
		Call: &Call{Type: types[0].Name, Period: doc.Period, Title: doc.Title},
	}}
	for _, t := range types {
		out.Types = append(out.Types, TypeLine{t.Name, t.Line})
	}
	return out
}

// instructionsAnswer returns how to write the document, with the starter.
func instructionsAnswer(t DocumentType, doc Document, handle, starter, note string) Answer {
	out := progressAnswer(t, doc, handle, note)
	out.Title, out.Instructions, out.Fields, out.Starter, out.Answers = doc.Title, t.Instructions, t.fieldLines(), starter, doc.Answers
	return out
}

// progressAnswer returns what is still missing in an unfinished document, without the
// instructions.
func progressAnswer(t DocumentType, doc Document, handle, note string) Answer {
	out := Answer{
		Stage: stageInstructions, Note: note, Handle: handle, Type: t.Name, Period: doc.Period, Replaces: t.replacedDocument(doc),
		Next: Next{Call: &Call{Answers: t.exampleAnswers(doc.Answers), Handle: handle}},
	}
	if len(doc.Answers) == 0 { // the stars in the fields mark what is required
		out.Next.Ask = "Follow the instructions, then call with the answers."
		return out
	}
	out.Missing = t.missing(t.mergedAnswers(doc))
	out.Next.Ask = "Answer what is missing; earlier answers are kept."
	if len(out.Missing) == 0 {
		out.Next.Ask = "All required answers are given. Call with answers {} to create the document."
	}
	return out
}

func createdAnswer(doc Document, created CreateResult, handle, note string) Answer {
	return Answer{
		Stage: stageCreated, Note: note, Handle: handle, Type: doc.Type, Period: doc.Period,
		ID: created.ID, Title: cmp.Or(created.Title, doc.Title), UndoID: created.UndoID, Repeated: created.Repeated, Replaces: created.Replaces,
		Next: Next{Actions: created.Next},
	}
}

func cancelledAnswer(doc Document, handle, note string) Answer {
	return Answer{
		Stage: stageCancelled, Note: note, Handle: handle, Type: doc.Type, Period: doc.Period,
		Next: Next{Ask: "To start again, call without the handle.", Call: &Call{Type: doc.Type, Period: doc.Period}},
	}
}

// exampleAnswers returns example answers for the next call, for the missing fields. If no
// field is required and none is answered, it uses the first two fields.
func (t DocumentType) exampleAnswers(answers map[string]json.RawMessage) map[string]json.RawMessage {
	missing := t.missing(answers)
	params := t.params()
	if len(missing) == 0 && len(answers) == 0 {
		for _, p := range params[:min(2, len(params))] {
			missing = append(missing, p.Name)
		}
	}
	examples := t.Example.answers()
	next := map[string]json.RawMessage{}
	for _, p := range params {
		if slices.Contains(missing, p.Name) {
			next[p.Name] = placeholderFor(p, examples[p.Name])
		}
	}
	return next
}

// placeholderFor returns a placeholder if the field is a text or a list of texts. For any
// other field it returns the value in the example, or null if the example lacks the field.
func placeholderFor(p metadata.Param, example json.RawMessage) json.RawMessage {
	switch p.Type {
	case "str":
		return json.RawMessage(quoted(placeholder))
	case "[str]":
		return json.RawMessage("[" + quoted(placeholder) + "]")
	}
	if example == nil {
		return json.RawMessage("null")
	}
	return example
}
