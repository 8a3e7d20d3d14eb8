package store

import "encoding/json"

// A Document is a plan, a review or something else that is written down as a
// whole, in one of its states.
type Document struct {
	Row
	Type   string          `json:"type"`             // a name, see Name: "week_review"
	Period string          `json:"period,omitempty"` // "2026-11-20", "2026-W47" or "2026-11"; "" when it is of none
	Sole   bool            `json:"sole,omitempty"`   // it is the only one of its type and period
	Title  string          `json:"title,omitempty"`
	Body   string          `json:"body,omitempty"`   // Markdown
	Fields json.RawMessage `json:"fields,omitempty"` // a JSON object: the answers it was made of; never nil
}

// documentShelf keeps documents.
var documentShelf = shelf[Document]{
	table: "documents", letter: documentLetter, index: &documentIndex,
	columns: "type, period, sole, title, body, fields",
	fields: func(d *Document) []any {
		return []any{&d.Type, &d.Period, &d.Sole, &d.Title, &d.Body, asJSON[json.RawMessage]{&d.Fields}}
	},
	row: func(d *Document) *Row { return &d.Row },
}
