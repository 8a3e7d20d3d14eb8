// Package document keeps plans, reviews and notes. Each period has at most one plan and
// one review. Another plan or review of the period becomes the next version. A repeated
// call does not create a second document.
//
// Start at Documents. Normalize finds out what a call means, Existing returns the existing
// document and Create saves a document. Kinds lists the types that come with KOTA.
package document

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kota/bundles"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/untrusted"
	"kota/bundles/staged"
	"kota/metadata"
	"kota/store"
)

// A Diary is the part of the store that holds documents.
type Diary interface {
	Document(ctx context.Context, id string) (*store.Document, error)
	Documents(ctx context.Context, f store.DocumentFilter, limit int) ([]*store.Document, error)
	SaveDocument(ctx context.Context, s store.DocumentSave) (store.SaveResult, error)
}

// Documents reads and writes the documents of a tenant.
type Documents struct {
	days.Clock
	Open func(context.Context) (Diary, error)
}

// Existing returns the existing plan or review of a period, or nil.
func (d Documents) Existing(ctx context.Context, doc staged.Document) (*staged.ExistingDocument, error) {
	if kindOf(doc.Type).unit == "" {
		return nil, nil
	}
	diary, err := d.Open(ctx)
	if err != nil {
		return nil, err
	}
	found, err := diary.Documents(ctx, store.DocumentFilter{Type: doc.Type, Period: doc.Period}, 1)
	if err != nil || len(found) == 0 {
		return nil, rows.Explain(err)
	}
	stands := &staged.ExistingDocument{ID: found[0].ID, Version: found[0].Version, Untrusted: untrusted.IsUntrusted(found[0].Source)}
	if err := json.Unmarshal(found[0].Fields, &stands.Answers); err != nil {
		return nil, fmt.Errorf("read the fields of %s: %w", stands.ID, err)
	}
	return stands, nil
}

// repeatWindow is how long a second save of the same document counts as a repeated call:
// clients repeat calls whose answers they missed. It applies to types without a unit, such as
// notes. The same limit applies to a mail that is sent twice.
const repeatWindow = 10 * time.Minute

// Create saves the document. If the period already has such a plan or review, the document
// becomes its next version.
func (d Documents) Create(ctx context.Context, doc staged.Document) (staged.CreateResult, error) {
	diary, err := d.Open(ctx)
	if err != nil {
		return staged.CreateResult{}, err
	}
	fields, err := metadata.Plain(doc.Answers)
	if err != nil {
		return staged.CreateResult{}, fmt.Errorf("keep %s: %w", doc.Type, err)
	}
	saving := store.DocumentSave{Document: store.Document{
		Type: doc.Type, Period: doc.Period, Unique: kindOf(doc.Type).unit != "", Title: doc.Title, Body: doc.Body, Fields: fields,
		Source: untrusted.SourceToStore(ctx, ""),
	}, DedupeWindow: repeatWindow, IfVersion: new(int64(0))}
	if doc.Replaces != nil {
		saving.IfVersion = &doc.Replaces.Version
	}
	if doc.Key != "" {
		saving.Key = "document " + doc.Key
	}
	saved, err := diary.SaveDocument(ctx, saving)
	// An earlier call with this handle saved the document, and then failed or KOTA ended.
	// The saved content may be older than the content of this call.
	if used := (*store.KeyError)(nil); errors.As(err, &used) && len(used.IDs) == 1 {
		saved.Repeated = true
		saved.Document, err = diary.Document(ctx, used.IDs[0])
	}
	if err != nil {
		return staged.CreateResult{}, rows.Explain(err)
	}
	back := deleteArguments(saved.Document.ID)
	if saved.Undo != "" {
		back = undoArguments(saved.Undo)
	}
	next := slices.DeleteFunc(nextSteps(doc, saved.Document.ID, back), func(s metadata.Step) bool { return !bundles.Offered(ctx, s.Tool) })
	return staged.CreateResult{
		ID: saved.Document.ID, Title: saved.Document.Title, UndoID: saved.Undo, Repeated: saved.Repeated || saved.Change == store.Unchanged, Next: next,
	}, nil
}

// undoArguments returns the arguments that undo a change.
func undoArguments(undo string) map[string]any { return map[string]any{"undo_id": undo} }

// deleteArguments returns the arguments that delete a document. This is how to undo a
// document that an earlier call saved.
func deleteArguments(id string) map[string]any { return map[string]any{"id": id, "delete": true} }

// nextSteps returns the next calls after the document was saved. The last call undoes the save.
func nextSteps(doc staged.Document, id string, back map[string]any) []metadata.Step {
	next := []metadata.Step{{Tool: "daily_get", Args: map[string]any{"id": id}}, {Tool: "daily_task", Args: map[string]any{"op": "list"}}}
	p, ok := days.ParseName(doc.Period)
	if k := kindOf(doc.Type); ok && k.Next != "" {
		next = append(next, metadata.Step{Tool: "daily_plan", Args: map[string]any{"type": k.Next, "period": p.Next().Name()}})
	}
	return append(next, metadata.Step{Tool: "daily_edit", Args: back})
}
