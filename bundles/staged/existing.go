package staged

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"kota/bundles"
	"kota/metadata"
)

// withExisting returns the document with Replaces set to the existing document.
func (f *Flow) withExisting(ctx context.Context, doc Document) (Document, error) {
	if f.Existing == nil {
		return doc, nil
	}
	var err error
	if doc.Replaces, err = f.Existing(ctx, doc); err != nil {
		return doc, fmt.Errorf("find the existing %s: %w", doc.Type, err)
	}
	if doc.Replaces != nil && doc.Replaces.Untrusted {
		bundles.MarkUntrusted(ctx)
	}
	return doc, nil
}

// mergedAnswers returns the answers of a document. For a field without an answer, it uses
// the answer of the existing document.
func (t DocumentType) mergedAnswers(doc Document) map[string]json.RawMessage {
	if doc.Replaces == nil {
		return doc.Answers
	}
	merged := t.currentAnswers(doc.Replaces.Answers)
	maps.Copy(merged, doc.Answers)
	return merged
}

// replacedDocument describes the document that doc replaces, or returns nil if none
// exists.
func (t DocumentType) replacedDocument(doc Document) *ReplacedDocument {
	if doc.Replaces == nil {
		return nil
	}
	keptFields := []string{}
	for _, p := range t.params() {
		_, existing := doc.Replaces.Answers[p.Name]
		if _, answered := doc.Answers[p.Name]; existing && !answered {
			keptFields = append(keptFields, p.Name)
		}
	}
	return &ReplacedDocument{ID: doc.Replaces.ID, Version: doc.Replaces.Version, KeptFields: keptFields}
}

// create makes the document, as a new version of the existing one if there is one. If the
// existing one changes meanwhile, it tries again. It makes at most 10 attempts in all.
func (f *Flow) create(ctx context.Context, t DocumentType, doc Document) (CreateResult, error) {
	const maxAttempts = 10
	for attempt := 1; ; attempt++ {
		version, err := f.withExisting(ctx, doc)
		if err != nil {
			return CreateResult{}, err
		}
		created, err := f.createVersion(ctx, t, version)
		if f.Existing == nil || attempt == maxAttempts || metadata.CodeOf(err) != metadata.Conflict {
			return created, err
		}
	}
}

// createVersion fills in the template and makes the document.
func (f *Flow) createVersion(ctx context.Context, t DocumentType, doc Document) (CreateResult, error) {
	replaced := t.replacedDocument(doc)
	var err error
	if doc.Answers, err = t.withDefaults(t.mergedAnswers(doc)); err != nil {
		return CreateResult{}, err
	}
	known, err := t.prefillData(ctx, doc)
	if err != nil {
		return CreateResult{}, err
	}
	if doc.Body, err = t.finalText(doc, known); err != nil {
		return CreateResult{}, err
	}
	created, err := f.Create(ctx, doc)
	if !created.Repeated {
		created.Replaces = replaced
	}
	return created, err
}
