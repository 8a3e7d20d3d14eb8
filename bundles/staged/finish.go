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
func (f *Flow) finish(ctx context.Context, t DocumentType, k *keptFlow, note string) (Answer, error) {
	if k.created != nil {
		k.created.Repeated = true
		return f.end(ctx, createdAnswer(k.doc, *k.created, k.doc.Key, note)), nil
	}
	created, err := f.create(ctx, t, k.doc)
	after := context.WithoutCancel(ctx)
	if err != nil {
		// The caller can correct the problem and continue with the handle.
		if reopening := f.save(after, k, inInstructions); reopening != nil && !errors.Is(reopening, errOutrun) {
			err = errors.Join(err, reopening)
		}
		return Answer{}, err
	}
	k.created = &created
	// The document exists, so a failure to save the stage does not fail the call. A
	// repeated call makes the same document from the same key.
	_ = f.save(after, k, isCreated)
	return f.end(ctx, createdAnswer(k.doc, created, k.doc.Key, note)), nil
}

// cancel gives up the handle with all its answers.
func (f *Flow) cancel(ctx context.Context, k *keptFlow) (Answer, error) {
	doc := k.doc
	k.doc.Answers = nil
	if err := f.save(ctx, k, isCancelled); err != nil {
		return Answer{}, err
	}
	return f.end(ctx, cancelledAnswer(doc, doc.Key, "")), nil
}

// anew begins again with the arguments of a call whose handle is useless. For a cancel,
// it lists the unfinished documents instead.
func (f *Flow) anew(ctx context.Context, types []DocumentType, in Call, note string) (Answer, error) {
	if in.Cancel {
		return f.discover(ctx, types, Document{}, Call{}, note+" Nothing was given up.")
	}
	return f.begin(ctx, in, note)
}

// noUse returns why this flow cannot continue with a handle, or "" if it can.
func (f *Flow) noUse(types []DocumentType, k keptFlow, err error, handle string) string {
	switch {
	case metadata.CodeOf(err) == metadata.NotFound:
		return fmt.Sprintf("The handle %q stands for nothing: handles are forgotten after 24 hours.", brief(handle))
	case err != nil:
		return ""
	case k.flow != f.Action.Name:
		return fmt.Sprintf("The handle %q is of %s, not of %s.", brief(handle), k.flow, f.Action.Name)
	case k.stage == isCancelled:
		return fmt.Sprintf("The handle %q was given up.", brief(handle))
	case !isType(types, k.doc.Type):
		return fmt.Sprintf("The handle %q is of %s, a type that is no more.", brief(handle), k.doc.Type)
	}
	return ""
}

// late returns a note about the parts of a call that come too late for the document, or
// "".
func late(doc Document, given map[string]json.RawMessage, cancel bool) string {
	if cancel {
		return "It is created already: cancel takes nothing back."
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
	return "It was created before these answers came, which are not in it: " + strings.Join(names, ", ") + "."
}

// called returns the document's type and period.
func called(doc Document) string {
	if doc.Period == "" {
		return doc.Type
	}
	return doc.Type + " of " + doc.Period
}

// brief shortens a caller's text for a quote in a note.
func brief(handle string) string {
	if runes := []rune(handle); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return handle
}
