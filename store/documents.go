package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// A Document is one version of a plan, a review or another text that is written as a whole.
type Document struct {
	Row
	Type   string          `json:"type"`             // in the form of NormalizeName: "week_review"
	Period string          `json:"period,omitempty"` // "2026-11-20", "2026-W47" or "2026-11"; "" without a period
	Unique bool            `json:"sole,omitempty"`   // no other Unique document has its type and period
	Title  string          `json:"title,omitempty"`
	Body   string          `json:"body,omitempty"`   // Markdown
	Fields json.RawMessage `json:"fields,omitempty"` // a JSON object with the answers it was made from; "{}" without any
	Source string          `json:"source,omitempty"` // where the text comes from; "" for the user's own words
}

// Clean normalizes a document for storage. It returns ErrInvalid or ErrTooLarge if it cannot be
// stored.
func (d *Document) Clean() error {
	d.Title = CleanLabel(d.Title)
	d.Body = strings.TrimSpace(strings.ToValidUTF8(d.Body, "\uFFFD"))
	fields, err := CompactJSON(orEmpty(d.Fields))
	if err != nil {
		return fmt.Errorf("fields: %w", err)
	}
	d.Fields = json.RawMessage(fields)
	if d.Type, err = NormalizeName(d.Type); err != nil {
		return fmt.Errorf("type: %w", err)
	}
	switch {
	case kind(d.Fields) != '{':
		return fmt.Errorf("%w: the fields are %s, not an object", ErrInvalid, kindName(d.Fields))
	case d.Title == "" && d.Body == "":
		return fmt.Errorf("%w: the document is empty", ErrInvalid)
	case utf8.RuneCountInString(d.Title) > MaxLabel:
		return fmt.Errorf("%w: a title has at most %d characters", ErrInvalid, MaxLabel)
	case d.Unique && d.Period == "":
		return fmt.Errorf("%w: a document that is unique in its period needs a period", ErrInvalid)
	}
	return errors.Join(checkPeriod(d.Period), CheckSize("body", d.Body, MaxBody))
}

// checkPeriod returns ErrInvalid for anything but a date, an ISO week, a month or "".
func checkPeriod(period string) error {
	if period == "" || CheckDate(period) == nil {
		return nil
	}
	if month, err := time.Parse("2006-01", period); err == nil && month.Year() > 0 {
		return nil
	}
	year, week := 0, 0
	if n, err := fmt.Sscanf(period, "%4d-W%2d", &year, &week); err == nil && n == 2 && period == fmt.Sprintf("%04d-W%02d", year, week) {
		// The last ISO week of a year contains 28 December.
		if _, last := time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC).ISOWeek(); year > 0 && week >= 1 && week <= last {
			return nil
		}
	}
	return fmt.Errorf("%w: %q is not a date, a week like 2026-W47 or a month like 2026-11", ErrInvalid, FirstRunes(period, 40))
}

// orEmpty returns fields, or an empty object if there are none.
func orEmpty(fields json.RawMessage) json.RawMessage {
	if len(fields) == 0 {
		return json.RawMessage("{}")
	}
	return fields
}

// A DocumentFilter selects documents that are not deleted. A document must match all conditions;
// the zero filter matches every document.
type DocumentFilter struct {
	Type     string // "": any
	Period   string // "": any
	From, To string // dates: documents whose day, week or month overlaps the range; "": no bound
}

// A DocumentSave is one document to store.
type DocumentSave struct {
	Document         // its Row is ignored
	Key       string // idempotency key: repeated calls have one effect; "" for none
	IfVersion *int64 // for a Unique document, the required current version; 0: it must not exist; nil: any

	// DedupeWindow is a time after the creation of a document. In that time, a save with the
	// same type, period, title and fields returns the document, and creates no other. This
	// applies only to a document that is not Unique and has not changed since. 0: a save always
	// creates a document.
	DedupeWindow time.Duration
}

// A SaveResult says what a save did.
type SaveResult struct {
	Document *Document
	Change   Change    // Created, Updated or Unchanged
	Before   *Document // the version before; nil for a new document
	Undo     string    // for Restore; "" if nothing was saved
	Repeated bool      // nothing was saved: an earlier call had this key, or DedupeWindow applies; Document is the document of that call as it is now
}
