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

// A storedFlow is what Stages stores under a handle.
type storedFlow struct {
	flow, stage string
	version     int64
	doc         Document
	created     *CreateResult // set once the document is created
}

// A storedState is the JSON form of a storedFlow.
type storedState struct {
	Document
	Created *CreateResult `json:"created,omitempty"`
}

// stageClosed is the stage between instructions and created. In this stage the flow accepts
// no more answers. If the process ends before the creation, the next call completes it.
const stageClosed = "closed"

// errSuperseded means that another call with the handle was faster.
var errSuperseded = errors.New("another call with this handle finished first")

func (f *Flow) load(ctx context.Context, handle string) (storedFlow, error) {
	flow, stage, raw, version, err := f.Stages.Get(ctx, handle)
	if err != nil {
		return storedFlow{}, err
	}
	var state storedState
	if flow == f.Action.Name {
		if err := json.Unmarshal(raw, &state); err != nil {
			return storedFlow{}, fmt.Errorf("read the state of %s: %w", handle, err)
		}
	}
	state.Key = handle
	return storedFlow{flow: flow, stage: stage, version: version, doc: state.Document, created: state.Created}, nil
}

// save stores the stage of the flow and updates k's version.
func (f *Flow) save(ctx context.Context, k *storedFlow, stage string) error {
	k.doc.Untrusted = k.doc.Untrusted || bundles.HasUntrusted(ctx)
	raw, err := json.Marshal(storedState{k.doc, k.created})
	if err != nil {
		return fmt.Errorf("save the unfinished %s: %w", k.doc.Type, err)
	}
	version, err := f.Stages.Save(ctx, k.doc.Key, stage, raw, k.version, stage == stageCreated || stage == stageCancelled)
	if metadata.CodeOf(err) == metadata.Conflict {
		return errSuperseded
	}
	if err != nil {
		return err
	}
	k.version = version
	return nil
}

// resume continues a handle. No answer of concurrent calls is lost: a call whose save comes
// too late runs again from the saved state. After 50 attempts the error is CONFLICT.
func (f *Flow) resume(ctx context.Context, in Call) (Answer, error) {
	const maxAttempts = 50
	for range maxAttempts {
		out, err := f.attempt(ctx, in)
		if !errors.Is(err, errSuperseded) {
			return out, err
		}
	}
	return Answer{}, metadata.Errorf(metadata.Conflict, "other calls with the handle %s kept finishing first, so nothing of this call was stored", in.Handle).
		WithHint("Repeat the call.")
}

// attempt carries out the call once, from the stored state of the flow. It returns
// errSuperseded if another call saved the flow meanwhile.
func (f *Flow) attempt(ctx context.Context, in Call) (Answer, error) {
	types, err := f.types(ctx)
	if err != nil {
		return Answer{}, err
	}
	k, err := f.load(ctx, in.Handle)
	if err == nil && k.stage == stageCancelled && in.Cancel {
		return f.finalAnswer(ctx, cancelledAnswer(k.doc, in.Handle, "")), nil
	}
	if note := f.unusableNote(types, k, err, in.Handle); note != "" {
		return f.restart(ctx, types, in, note)
	}
	if err != nil {
		return Answer{}, err
	}
	if k.doc.Untrusted {
		bundles.MarkUntrusted(ctx)
	}
	other, err := f.isOtherDocument(ctx, types, in, k.doc)
	if err != nil {
		return Answer{}, err
	}
	if other {
		return f.restart(ctx, types, in, fmt.Sprintf("The handle %s belongs to %s and was not changed, because this call is about another document.", in.Handle, describeDocument(k.doc)))
	}
	t, err := findType(types, k.doc.Type)
	if err != nil {
		return Answer{}, err
	}
	given, err := t.validAnswers(in.Answers)
	if err != nil {
		return Answer{}, err
	}
	k.doc.Answers = t.currentAnswers(k.doc.Answers)
	switch {
	case k.stage == stageCreated || k.stage == stageClosed:
		return f.finish(ctx, t, &k, lateNote(k.doc, given, in.Cancel))
	case in.Cancel:
		return f.cancel(ctx, &k)
	}
	if k.doc, err = f.withExisting(ctx, k.doc); err != nil {
		return Answer{}, err
	}
	if in.Answers == nil && in.Title == "" {
		return f.instructions(ctx, t, k.doc, in.Handle, "")
	}
	return f.advance(ctx, t, &k, given, in)
}

// advance adds the answers to the document. It creates the document if the call has the
// argument answers, even empty, and nothing is missing.
func (f *Flow) advance(ctx context.Context, t DocumentType, k *storedFlow, given map[string]json.RawMessage, in Call) (Answer, error) {
	maps.Copy(k.doc.Answers, given)
	if in.Title != "" {
		k.doc.Title = in.Title
	}
	if in.Answers == nil || len(t.missing(t.mergedAnswers(k.doc))) > 0 {
		if err := f.save(ctx, k, stageInstructions); err != nil {
			return Answer{}, err
		}
		bundles.ReportStage(ctx, t.instructionsSchema(in.Handle))
		return progressAnswer(t, k.doc, in.Handle, ""), nil
	}
	if err := f.save(ctx, k, stageClosed); err != nil {
		return Answer{}, err
	}
	return f.finish(ctx, t, k, "")
}

// isOtherDocument reports whether the call is about another document than its handle.
func (f *Flow) isOtherDocument(ctx context.Context, types []DocumentType, in Call, doc Document) (bool, error) {
	if in.Type != "" {
		t, err := findType(types, in.Type)
		if err != nil || t.Name != doc.Type {
			return true, err
		}
	}
	if in.Period == "" {
		return false, nil
	}
	requested, _, err := f.normalize(ctx, types, Document{Type: doc.Type, Period: in.Period, Title: doc.Title})
	if err != nil {
		// A week is not a period of a day's review, but may be a period of another type.
		if _, _, callErr := f.normalize(ctx, types, Document{Type: in.Type, Period: in.Period}); in.Type == "" && callErr == nil {
			return true, nil
		}
		return false, err
	}
	return requested.Period != doc.Period, nil
}
