// Package staged makes actions with several steps. They guide a caller who does not know the
// arguments: the first answer lists the types of documents, the next the fields of one type.
// Answers that do not complete a document are stored under a handle for 24 hours. One handle
// makes one document, even if its last call is repeated.
//
// Start reading at Flow, which a bundle declares, and Bind, which makes an action of it.
package staged

import (
	"context"
	"encoding/json"

	"kota/metadata"
)

// A Flow is a staged action. It makes documents of several types, and guides a caller who
// does not know the arguments, step by step.
//
//   - discovery: without a type it lists the types, each with one line;
//   - instructions: with a type it returns that type's instructions, its fields, and a
//     starter, which is the document with all known data filled in;
//   - creation: with the answers it makes the document.
//
// Every answer names the next call. A caller who knows all answers gives them in one call.
// Other callers get a handle for their answers so far. Any client can continue with it for
// 24 hours, also after a restart. All flows share one input schema, which has the arguments
// of every stage: see Call.
//
// A bundle adds its types and how to create a document. See Bind.
type Flow struct {
	Action    metadata.Action // Bind sets its Effect and adds to its Examples and Errors
	Types     []DocumentType
	UserTypes func(context.Context) ([]DocumentType, error) // the user's own types, read at each call; may be nil
	Stages    Stages

	// Normalize brings the caller's arguments into their final form before any other use.
	// For example, it derives the type from the period, writes "today" as a date, or sets
	// a default title. It returns a *metadata.Error for invalid arguments. If Type is ""
	// and Normalize does not set it, the types are listed. Normalize must not change a
	// period that it returned before. Nil changes nothing.
	Normalize func(context.Context, *Document) error

	// Existing returns the document that exists for the type and period, or nil. The new
	// document becomes its next version, and fields without an answer keep their values.
	// Leave Existing nil in a flow that allows several documents for one type and period.
	Existing func(context.Context, Document) (*ExistingDocument, error)

	// Create makes the document and returns the result. It makes one document per Key,
	// however many calls and processes use the Key: later calls return the first document,
	// with Repeated set. That does not apply to the Key "". Create returns CONFLICT if
	// Replaces is no longer the existing document.
	Create func(context.Context, Document) (CreateResult, error)
}

// A DocumentType is one kind of document that a Flow makes.
type DocumentType struct {
	Name         string           // "day_review"
	Line         string           // a description of at most 80 characters
	Instructions string           // instructions for a model
	Fields       *metadata.Schema // the fields: FieldsOf or FieldList; nil for none

	// Template is the template of the Markdown document, in the syntax of text/template. It
	// cannot call methods. Its data are .type, .period, .title, each field by name, and the
	// values of Prefill. In the starter, a field without an answer has the placeholder
	// "<name>"; for a list field, it is the only item. In the final document, a field
	// without an answer is empty. {{list .x}} writes a bullet list.
	Template string

	// Prefill returns known data for the template, such as the day's events or the open
	// tasks. It must not use the names of fields. If a source is unavailable, Prefill
	// says so in the data. It must not return an error for that, because then nobody
	// could write the document. If Prefill is nil, there are no such data.
	Prefill func(context.Context, Document) (map[string]any, error)

	Example DocumentExample // required, except for the user's own types
}

// A DocumentExample is an example document of a type. Tests compare it with the action's
// real answers.
type DocumentExample struct {
	Period  string // in the form that Normalize returns
	Title   string
	Answers any            // to all the type's fields, as a struct or a map
	Prefill map[string]any // the result of Prefill
	Created CreateResult   // the result of Create
}

// A Document is the document that a caller requests, with the answers so far.
type Document struct {
	Type      string                     `json:"type"`
	Period    string                     `json:"period,omitempty"`
	Title     string                     `json:"title,omitempty"`
	Answers   map[string]json.RawMessage `json:"answers,omitempty"` // valid for the type's fields
	Untrusted bool                       `json:"foreign,omitempty"` // it was begun after untrusted content was read, or contains such content
	Body      string                     `json:"-"`                 // the filled-in template, for Create
	Key       string                     `json:"-"`                 // for Create; "" for a call without a handle

	Replaces *ExistingDocument `json:"-"` // for Create; nil if no document exists
}

// An ExistingDocument is the document that already exists for a type and period.
type ExistingDocument struct {
	ID        string
	Version   int64
	Answers   map[string]json.RawMessage
	Untrusted bool // as in Document
}

// ReplacedDocument identifies the document that a new version replaces.
type ReplacedDocument struct {
	ID         string   `json:"id"`
	Version    int64    `json:"version"`        // the replaced version
	KeptFields []string `json:"kept,omitempty"` // fields that keep their values
}

// Decode decodes the answers into the struct that the fields were inferred from. In
// Create the answers contain all required fields, and the defaults of the others.
func (d Document) Decode(into any) error {
	raw, err := json.Marshal(d.Answers)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// CreateResult is the result of Create.
type CreateResult struct {
	ID       string            `json:"id"`
	Title    string            `json:"title"`
	UndoID   string            `json:"undo_id,omitempty"` // undoes it, if that is possible
	Next     []metadata.Step   `json:"next,omitempty"`    // calls that may follow: show it, undo it
	Repeated bool              `json:"-"`                 // it already existed
	Replaces *ReplacedDocument `json:"replaces,omitempty"`
}

// Stages stores unfinished flows. A state is JSON that only the flow reads. Stages
// deletes a state 24 hours after it was last saved.
type Stages interface {
	// Open stores a new flow and returns its handle.
	Open(ctx context.Context, flow, stage string, state json.RawMessage) (handle string, err error)
	// Get returns NOT_FOUND for a handle that is unknown, deleted or of another tenant.
	Get(ctx context.Context, handle string) (flow, stage string, state json.RawMessage, version int64, err error)
	// Save replaces the state that has that version, and returns the new version. last
	// ends the flow: no later save succeeds. Save returns CONFLICT if another state was
	// saved meanwhile, and NOT_FOUND like Get.
	Save(ctx context.Context, handle, stage string, state json.RawMessage, version int64, last bool) (int64, error)
	// Pending returns the handles of a flow's unfinished documents, the most recently saved
	// first.
	Pending(ctx context.Context, flow string) ([]string, error)
}
