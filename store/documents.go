package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// A Document is a plan, a review or something else that is written down as a
// whole, in one of its states.
type Document struct {
	Row
	Type   string          `json:"type"`             // a name, see Name: "week_review"
	Period string          `json:"period,omitempty"` // "2026-11-20", "2026-W47" or "2026-11"; "" when it is of none
	Sole   bool            `json:"sole,omitempty"`   // it is the only one of its type and period
	Title  string          `json:"title,omitempty"`
	Body   string          `json:"body,omitempty"`   // Markdown
	Fields json.RawMessage `json:"fields,omitempty"` // a JSON object: the answers it was made of; "{}" when it has none
	Source string          `json:"source,omitempty"` // where the words come from; "": they are the user's
}

// Clean puts a document into the form in which it is kept.
func (d *Document) Clean() error {
	d.Title = CleanLabel(d.Title)
	d.Body = strings.TrimSpace(strings.ToValidUTF8(d.Body, "\uFFFD"))
	fields, err := CompactJSON(orEmpty(d.Fields))
	if err != nil {
		return fmt.Errorf("fields: %w", err)
	}
	d.Fields = json.RawMessage(fields)
	if d.Type, err = Name(d.Type); err != nil {
		return fmt.Errorf("type: %w", err)
	}
	switch {
	case kind(d.Fields) != '{':
		return fmt.Errorf("%w: the fields are %s, and no object", ErrInvalid, kindName(d.Fields))
	case d.Title == "" && d.Body == "":
		return fmt.Errorf("%w: the document says nothing", ErrInvalid)
	case utf8.RuneCountInString(d.Title) > MaxLabel:
		return fmt.Errorf("%w: a title has at most %d characters", ErrInvalid, MaxLabel)
	case d.Sole && d.Period == "":
		return fmt.Errorf("%w: the only one of a period has none", ErrInvalid)
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
		// The last week of a year is the one with 28 December in it.
		if _, last := time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC).ISOWeek(); year > 0 && week >= 1 && week <= last {
			return nil
		}
	}
	return fmt.Errorf("%w: %q is no date, no week like 2026-W47 and no month like 2026-11", ErrInvalid, FirstRunes(period, 40))
}

// orEmpty is the empty object for no fields.
func orEmpty(fields json.RawMessage) json.RawMessage {
	if len(fields) == 0 {
		return json.RawMessage("{}")
	}
	return fields
}

// A DocumentFilter chooses documents that are not deleted. Its conditions all
// hold at once; the zero DocumentFilter chooses every one.
type DocumentFilter struct {
	Type     string // "": any
	Period   string // "": any
	From, To string // dates: those whose day, week or month has one of them or between; "": no bound
}

// A Saving is one document to be kept.
type Saving struct {
	Document         // what its Row says is not read
	Key       string // names the call, so that it has one effect however often it is made; "" for none
	IfVersion *int64 // of the only one of a period: the version that must stand now; 0: there must be none; nil: any

	// Once is how long another that is not Sole stands for this one, by its type,
	// period, title and fields, when nobody has changed it: a caller who repeats a
	// call means one document.
	Once time.Duration
}

// A Saved says what a save did.
type Saved struct {
	Document *Document
	Change   Change    // Created, Updated or Unchanged
	Before   *Document // what it superseded; nil when it is new
	Undo     string    // for Restore; "" when nothing was saved
	Repeated bool      // nothing was saved: a call with this key, or with these words, was made before, and this is what has become of its document
}
