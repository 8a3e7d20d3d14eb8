package staged

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"kota/bundles"
	"kota/metadata"
)

// A keptFlow is the stored flow of a handle.
type keptFlow struct {
	flow, stage string
	version     int64
	doc         Document
	created     *Created // set once the document is created
}

// A keptState is its JSON form.
type keptState struct {
	Document
	Created *Created `json:"created,omitempty"`
}

// isClosed is the stage between instructions and created. The flow accepts no more
// answers. If the process dies, the next call completes the creation.
const isClosed = "closed"

// errOutrun means that another call with the handle was faster.
var errOutrun = errors.New("another call with this handle was quicker")

func (f *Flow) kept(ctx context.Context, handle string) (keptFlow, error) {
	flow, stage, raw, version, err := f.Stages.Get(ctx, handle)
	if err != nil {
		return keptFlow{}, err
	}
	var state keptState
	if flow == f.Action.Name {
		if err := json.Unmarshal(raw, &state); err != nil {
			return keptFlow{}, fmt.Errorf("read what %s stands for: %w", handle, err)
		}
	}
	state.Key = handle
	return keptFlow{flow: flow, stage: stage, version: version, doc: state.Document, created: state.Created}, nil
}

// save stores the stage of the flow and updates k's version.
func (f *Flow) save(ctx context.Context, k *keptFlow, stage string) error {
	k.doc.Foreign = k.doc.Foreign || bundles.HasUntrusted(ctx)
	raw, err := json.Marshal(keptState{k.doc, k.created})
	if err != nil {
		return fmt.Errorf("keep %s: %w", k.doc.Type, err)
	}
	version, err := f.Stages.Save(ctx, k.doc.Key, stage, raw, k.version, stage == isCreated || stage == isCancelled)
	if metadata.CodeOf(err) == metadata.Conflict {
		return errOutrun
	}
	if err != nil {
		return err
	}
	k.version = version
	return nil
}

// resume continues a handle. Concurrent calls run one after the other, each from the
// state that the previous one saved, so that no answer is lost.
func (f *Flow) resume(ctx context.Context, in Call) (Answer, error) {
	const turns = 50
	for range turns {
		out, err := f.turn(ctx, in)
		if !errors.Is(err, errOutrun) {
			return out, err
		}
	}
	return Answer{}, metadata.Errorf(metadata.Conflict, "other calls with the handle %s kept coming first: nothing of this one was kept", in.Handle).
		WithHint("Repeat the call.")
}

// turn carries out the call once, from the stored state of the flow.
func (f *Flow) turn(ctx context.Context, in Call) (Answer, error) {
	types, err := f.types(ctx)
	if err != nil {
		return Answer{}, err
	}
	k, err := f.kept(ctx, in.Handle)
	if err == nil && k.stage == isCancelled && in.Cancel {
		return f.end(ctx, cancelledAnswer(k.doc, in.Handle, "")), nil
	}
	if note := f.noUse(types, k, err, in.Handle); note != "" {
		return f.anew(ctx, types, in, note)
	}
	if err != nil {
		return Answer{}, err
	}
	if k.doc.Foreign {
		bundles.MarkUntrusted(ctx)
	}
	other, err := f.isOther(ctx, types, in, k.doc)
	if err != nil {
		return Answer{}, err
	}
	if other {
		return f.anew(ctx, types, in, fmt.Sprintf("The handle %s is of the %s and was left as it is. This call is of another.", in.Handle, called(k.doc)))
	}
	t, err := typeOf(types, k.doc.Type)
	if err != nil {
		return Answer{}, err
	}
	given, err := t.read(in.Answers)
	if err != nil {
		return Answer{}, err
	}
	k.doc.Answers = t.asked(k.doc.Answers)
	switch {
	case k.stage == isCreated || k.stage == isClosed:
		return f.finish(ctx, t, &k, late(k.doc, given, in.Cancel))
	case in.Cancel:
		return f.cancel(ctx, &k)
	}
	if k.doc, err = f.over(ctx, k.doc); err != nil {
		return Answer{}, err
	}
	if in.Answers == nil && in.Title == "" {
		return f.instruct(ctx, t, k.doc, in.Handle, "")
	}
	return f.advance(ctx, t, &k, given, in)
}

// advance adds the answers to the document. It creates the document if the call has
// answers and nothing is missing.
func (f *Flow) advance(ctx context.Context, t DocumentType, k *keptFlow, given map[string]json.RawMessage, in Call) (Answer, error) {
	maps.Copy(k.doc.Answers, given)
	if in.Title != "" {
		k.doc.Title = in.Title
	}
	if in.Answers == nil || len(t.missing(t.whole(k.doc))) > 0 {
		if err := f.save(ctx, k, inInstructions); err != nil {
			return Answer{}, err
		}
		bundles.NoteStage(ctx, t.instructionsSchema(in.Handle))
		return keptAnswer(t, k.doc, in.Handle, ""), nil
	}
	if err := f.save(ctx, k, isClosed); err != nil {
		return Answer{}, err
	}
	return f.finish(ctx, t, k, "")
}

// isOther reports whether the call is about another document than its handle.
func (f *Flow) isOther(ctx context.Context, types []DocumentType, in Call, doc Document) (bool, error) {
	if in.Type != "" {
		t, err := typeOf(types, in.Type)
		if err != nil || t.Name != doc.Type {
			return true, err
		}
	}
	if in.Period == "" {
		return false, nil
	}
	said, _, err := f.settle(ctx, types, Document{Type: doc.Type, Period: in.Period, Title: doc.Title})
	if err != nil {
		// A week is not a period of a day's review, but may be one of another type.
		if _, _, alone := f.settle(ctx, types, Document{Type: in.Type, Period: in.Period}); in.Type == "" && alone == nil {
			return true, nil
		}
		return false, err
	}
	return said.Period != doc.Period, nil
}
