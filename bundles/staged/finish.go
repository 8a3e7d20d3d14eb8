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

// finish creates the document when nobody adds to it, or tells what was created.
func (f *Flow) finish(ctx context.Context, t DocumentType, k *keptFlow, note string) (Answer, error) {
	if k.created != nil {
		k.created.Repeated = true
		return f.end(ctx, createdAnswer(k.doc, *k.created, k.doc.Key, note)), nil
	}
	created, err := f.create(ctx, t, k.doc)
	after := context.WithoutCancel(ctx)
	if err != nil {
		// Its caller mends what was wrong, and goes on with the handle.
		if reopening := f.save(after, k, inInstructions); reopening != nil && !errors.Is(reopening, errOutrun) {
			err = errors.Join(err, reopening)
		}
		return Answer{}, err
	}
	k.created = &created
	// It is made, so that a failure to note it is no failure of the call: one
	// that is repeated makes the same of the same key.
	_ = f.save(after, k, isCreated)
	return f.end(ctx, createdAnswer(k.doc, created, k.doc.Key, note)), nil
}

// cancel gives the handle up, with all that was answered.
func (f *Flow) cancel(ctx context.Context, k *keptFlow) (Answer, error) {
	doc := k.doc
	k.doc.Answers = nil
	if err := f.save(ctx, k, isCancelled); err != nil {
		return Answer{}, err
	}
	return f.end(ctx, cancelledAnswer(doc, doc.Key, "")), nil
}

// anew begins again with what the call says, where its handle is of no use. One
// that is to be given up is not: what there is under way is told instead.
func (f *Flow) anew(ctx context.Context, types []DocumentType, in Call, note string) (Answer, error) {
	if in.Cancel {
		return f.discover(ctx, types, Document{}, Call{}, note+" Nothing was given up.")
	}
	return f.begin(ctx, in, note)
}

// noUse says why this flow cannot go on with a handle, "" if it can.
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

// late says what of a call comes too late for the document.
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

// called is the document's type, and what it is about.
func called(doc Document) string {
	if doc.Period == "" {
		return doc.Type
	}
	return doc.Type + " of " + doc.Period
}

// brief bounds what a note quotes of its caller.
func brief(handle string) string {
	if runes := []rune(handle); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return handle
}
