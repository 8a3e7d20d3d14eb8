package staged

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"kota/bundles"
	"kota/metadata"
)

// over returns the document with Replaces set to the existing document.
func (f *Flow) over(ctx context.Context, doc Document) (Document, error) {
	if f.Standing == nil {
		return doc, nil
	}
	var err error
	if doc.Replaces, err = f.Standing(ctx, doc); err != nil {
		return doc, fmt.Errorf("look for the %s that stands: %w", doc.Type, err)
	}
	if doc.Replaces != nil && doc.Replaces.Foreign {
		bundles.MarkUntrusted(ctx)
	}
	return doc, nil
}

// whole returns the answers of a document, with those of the existing one for the other
// fields.
func (t DocumentType) whole(doc Document) map[string]json.RawMessage {
	if doc.Replaces == nil {
		return doc.Answers
	}
	whole := t.asked(doc.Replaces.Answers)
	maps.Copy(whole, doc.Answers)
	return whole
}

// replaced describes the document that doc replaces, or returns nil if none exists.
func (t DocumentType) replaced(doc Document) *Replaced {
	if doc.Replaces == nil {
		return nil
	}
	kept := []string{}
	for _, p := range t.params() {
		_, stands := doc.Replaces.Answers[p.Name]
		if _, answered := doc.Answers[p.Name]; stands && !answered {
			kept = append(kept, p.Name)
		}
	}
	return &Replaced{ID: doc.Replaces.ID, Version: doc.Replaces.Version, Kept: kept}
}

// create makes the document as a new version of the existing one. It repeats if the
// existing one changes meanwhile.
func (f *Flow) create(ctx context.Context, t DocumentType, doc Document) (Created, error) {
	const turns = 10
	for turn := 1; ; turn++ {
		over, err := f.over(ctx, doc)
		if err != nil {
			return Created{}, err
		}
		created, err := f.createOver(ctx, t, over)
		if f.Standing == nil || turn == turns || metadata.CodeOf(err) != metadata.Conflict {
			return created, err
		}
	}
}

// createOver fills in the template and makes the document.
func (f *Flow) createOver(ctx context.Context, t DocumentType, doc Document) (Created, error) {
	replaced := t.replaced(doc)
	var err error
	if doc.Answers, err = t.complete(t.whole(doc)); err != nil {
		return Created{}, err
	}
	known, err := t.known(ctx, doc)
	if err != nil {
		return Created{}, err
	}
	if doc.Body, err = t.body(doc, known); err != nil {
		return Created{}, err
	}
	created, err := f.Create(ctx, doc)
	if !created.Repeated {
		created.Replaces = replaced
	}
	return created, err
}
