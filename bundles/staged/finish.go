package staged

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kota/metadata"
)

// finish creates the document, or returns the document that was already created.
func (f *Flow) finish(ctx context.Context, t DocumentType, k *storedFlow, note string) (Answer, error) {
	if k.created != nil {
		k.created.Repeated = true
		return f.finalAnswer(ctx, createdAnswer(k.doc, *k.created, k.doc.Key, note)), nil
	}
	created, err := f.create(ctx, t, k.doc)
	background := context.WithoutCancel(ctx)
	if err != nil {
		// The caller can correct the problem and continue with the handle.
		if saveErr := f.save(background, k, stageInstructions); saveErr != nil && !errors.Is(saveErr, errSuperseded) {
			err = errors.Join(err, saveErr)
		}
		return Answer{}, err
	}
	k.created = &created
	// The document exists, so a failure to save the stage does not fail the call. A
	// repeated call makes the same document from the same key.
	_ = f.save(background, k, stageCreated)
	return f.finalAnswer(ctx, createdAnswer(k.doc, created, k.doc.Key, note)), nil
}

// cancel ends the flow of the handle and deletes its answers.
func (f *Flow) cancel(ctx context.Context, k *storedFlow) (Answer, error) {
	doc := k.doc
	k.doc.Answers = nil
	if err := f.save(ctx, k, stageCancelled); err != nil {
		return Answer{}, err
	}
	return f.finalAnswer(ctx, cancelledAnswer(doc, doc.Key, "")), nil
}

// restart begins again with the arguments of a call that cannot continue its handle. For a
// cancel, it lists the unfinished documents instead.
func (f *Flow) restart(ctx context.Context, types []DocumentType, in Call, note string) (Answer, error) {
	if in.Cancel {
		return f.discover(ctx, types, Document{}, Call{}, note+" Nothing was cancelled.")
	}
	return f.begin(ctx, in, note)
}

// unusableNote returns why this flow cannot continue with a handle, or "" if it can. It
// also returns "" if err is another error than NOT_FOUND.
func (f *Flow) unusableNote(types []DocumentType, k storedFlow, err error, handle string) string {
	switch {
	case metadata.CodeOf(err) == metadata.NotFound:
		return fmt.Sprintf("The handle %q is unknown; handles expire after 24 hours.", shorten(handle))
	case err != nil:
		return ""
	case k.flow != f.Action.Name:
		return fmt.Sprintf("The handle %q belongs to %s, not to %s.", shorten(handle), k.flow, f.Action.Name)
	case k.stage == stageCancelled:
		return fmt.Sprintf("The handle %q was cancelled.", shorten(handle))
	case !isType(types, k.doc.Type):
		return fmt.Sprintf("The handle %q belongs to %s, a type that no longer exists.", shorten(handle), k.doc.Type)
	}
	return ""
}

// lateNote returns a note if the call cancels a created document, or gives answers that
// are not in it. Otherwise it returns "".
func lateNote(doc Document, given map[string]json.RawMessage, cancel bool) string {
	if cancel {
		return "The document is already created; cancel does not undo that."
	}
	names := []string{}
	for name, value := range given {
		if !bytes.Equal(value, doc.Answers[name]) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return "The document was created before these answers arrived, so they are not in it: " + strings.Join(names, ", ") + "."
}

// describeDocument returns the document's type and period.
func describeDocument(doc Document) string {
	if doc.Period == "" {
		return doc.Type
	}
	return doc.Type + " of " + doc.Period
}

// shorten returns at most the first 40 characters of a handle, for a note.
func shorten(handle string) string {
	if runes := []rune(handle); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return handle
}
