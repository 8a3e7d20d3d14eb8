// Package staged makes actions of several steps: a caller who does not know how
// to ask is led from the types there are, over the fields of one, to the
// document. Everything a caller said is kept under a handle for 24 hours, and
// one handle makes one document, however often its last call is repeated.
//
// Start reading at Flow, which a bundle declares, and Bind, which makes the
// action of it.
package staged

import (
	"context"
	"encoding/json"

	"kota/metadata"
)

// A Flow is a staged action: one that makes documents of several types, and
// tells a caller who does not know how to ask, step by step.
//
//   - discovery: without a type it lists the types, each with one line;
//   - instructions: with a type it gives that type's instructions, its fields,
//     and a starter, which is the document with what is known already in it;
//   - creation: with the answers it makes the document.
//
// Every answer names the next call. A caller who knows it all says it all in
// one call. One who does not gets a handle, which stands for what it has said
// so far: any client can go on with it, after a restart too, for 24 hours. No
// client needs to see another schema than the action's one, which is the same
// for every flow: see Call.
//
// What a bundle adds is its types and how one is made. See Bind.
type Flow struct {
	Action metadata.Action // its Effect, Examples and part of its Errors are filled in
	Types  []DocumentType
	Own    func(context.Context) ([]DocumentType, error) // types known once a call runs; nil for none
	Stages Stages

	// Settle puts what the caller said into its final form before anything else
	// sees it: a type that the period tells, "today" as a date, a title for
	// want of one. It answers a *metadata.Error for what cannot be meant. It is
	// called with Type "" when none was given, and leaves it so to have the types
	// listed. A period that it has settled once, it leaves as it is. Nil changes
	// nothing.
	Settle func(context.Context, *Document) error

	// Standing returns what stands where there can be one document alone of a type
	// and period. What is not answered stays as it is there, and the document is
	// its next version. Nil, and nil returned, is nothing.
	Standing func(context.Context, Document) (*Standing, error)

	// Create makes the document and returns what came of it. With one Key it
	// makes one document, however often and from however many processes it is
	// called: later calls return the first's, with Repeated set. It answers
	// CONFLICT when Replaces is not what stands.
	Create func(context.Context, Document) (Created, error)
}

// A DocumentType is one kind of document that a Flow makes.
type DocumentType struct {
	Name         string           // "day_review"
	Line         string           // what it is, in at most 80 characters
	Instructions string           // how to write one, for a model
	Fields       *metadata.Schema // what to answer: FieldsOf or FieldList; nil for nothing

	// Template is the document in Markdown, in the language of text/template
	// without methods. It sees .type,
	// .period, .title, each field by its name and what Prefill returns. For the
	// starter the fields that are not answered hold "<name>", or a list of that
	// alone; at creation they are empty. {{list .x}} writes a list with bullets.
	Template string

	// Prefill returns what there is to know already, for the template: the day's
	// events, the tasks that are open. Names of fields are not its to use. A
	// source that is out of reach is something to say in there, not an error:
	// with one, nobody could write the document. Nil knows nothing.
	Prefill func(context.Context, Document) (map[string]any, error)

	Example DocumentExample // for all but the user's own types
}

// A DocumentExample is how one document of a type comes about. Tests hold it
// against what the action really answers.
type DocumentExample struct {
	Period  string // in the form that Settle gives it
	Title   string
	Answers any            // of all the type's fields, as a struct or a map
	Prefill map[string]any // what Prefill returns then
	Created Created        // what Create returns then
}

// A Document is what a caller has said of the document it wants.
type Document struct {
	Type    string                     `json:"type"`
	Period  string                     `json:"period,omitempty"`
	Title   string                     `json:"title,omitempty"`
	Answers map[string]json.RawMessage `json:"answers,omitempty"` // they fit the type's fields
	Foreign bool                       `json:"foreign,omitempty"` // it was begun after strangers were read, or has their words
	Body    string                     `json:"-"`                 // the template filled in, for Create
	Key     string                     `json:"-"`                 // for Create; "" for a call without a handle

	Replaces *Standing `json:"-"` // for Create; nil where nothing stands
}

// A Standing is a document that is there already.
type Standing struct {
	ID      string
	Version int64
	Answers map[string]json.RawMessage
	Foreign bool // as of a Document
}

// Replaced says which document a new one is made over.
type Replaced struct {
	ID      string   `json:"id"`
	Version int64    `json:"version"`        // that stands, or stood
	Kept    []string `json:"kept,omitempty"` // fields that stay as they are there
}

// Decode reads the answers into the struct that the fields were inferred from.
// In Create all required ones are there, with the defaults of those that were
// left out.
func (d Document) Decode(into any) error {
	raw, err := json.Marshal(d.Answers)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// Created is what came of a document.
type Created struct {
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Undo     string          `json:"undo_id,omitempty"` // takes it back, where that can be done
	Next     []metadata.Step `json:"next,omitempty"`    // calls that go on from here: show it, take it back
	Repeated bool            `json:"-"`                 // it was there already
	Replaces *Replaced       `json:"replaces,omitempty"`
}

// Stages keeps the flows that are under way. States are JSON that the flow
// alone reads. One that nobody has saved for 24 hours is forgotten.
type Stages interface {
	// Open keeps a new one and returns its handle.
	Open(ctx context.Context, flow, stage string, state json.RawMessage) (handle string, err error)
	// Get answers NOT_FOUND for a handle that is unknown, somebody else's or
	// forgotten.
	Get(ctx context.Context, handle string) (flow, stage string, state json.RawMessage, version int64, err error)
	// Save replaces the state that had that version and returns the new one's.
	// The last one ends the flow: nothing is saved behind it. It answers CONFLICT
	// when another was saved meanwhile, and NOT_FOUND as Get does.
	Save(ctx context.Context, handle, stage string, state json.RawMessage, version int64, last bool) (int64, error)
	// Pending returns the handles of a flow that did not end, the last saved
	// first.
	Pending(ctx context.Context, flow string) ([]string, error)
}
