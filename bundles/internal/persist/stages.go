package persist

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"kota/metadata"
	"kota/store"
)

// Stages is a staged.Stages that stores a bundle's flows in KOTA's database. Its
// methods take the name of an action as the flow. In the database, the bundle's
// key precedes that name.
type Stages struct {
	Store  func(context.Context) (StageStore, error)
	Bundle string // the key of the bundle
}

// Open stores a new flow and returns its handle.
func (s Stages) Open(ctx context.Context, flow, stage string, state json.RawMessage) (handle string, err error) {
	stages, err := s.open(ctx)
	if err != nil {
		return "", err
	}
	opened, err := stages.Open(ctx, s.Bundle+"_"+flow, stage, state)
	if err != nil {
		return "", Explain(err)
	}
	return opened.Handle, nil
}

// Get returns the action's name, the stage, the state and the version of the
// flow with that handle. It returns NOT_FOUND for a handle that is unknown,
// expired, cancelled or of another owner.
func (s Stages) Get(ctx context.Context, handle string) (flow, stage string, state json.RawMessage, version int64, err error) {
	stages, err := s.open(ctx)
	if err != nil {
		return "", "", nil, 0, err
	}
	found, err := stages.Get(ctx, handle)
	if err != nil {
		return "", "", nil, 0, Explain(err)
	}
	return strings.TrimPrefix(found.Flow, s.Bundle+"_"), found.Step, found.State, found.Version, nil
}

// Save replaces the stage and the state of the flow, whose current version must
// be version. It returns the new version. last says that the flow ends. Save
// returns CONFLICT if another state was saved meanwhile, or if the flow has
// ended.
func (s Stages) Save(ctx context.Context, handle, stage string, state json.RawMessage, version int64, last bool) (int64, error) {
	stages, err := s.open(ctx)
	if err != nil {
		return 0, err
	}
	save := stages.Save
	if last {
		save = stages.Finish
	}
	saved, err := save(ctx, handle, stage, state, version)
	switch {
	case errors.Is(err, store.ErrConflict):
		return 0, &metadata.Error{Code: metadata.Conflict, Message: err.Error(), Hint: "Repeat the call.", Retryable: true, Cause: err}
	case err != nil:
		return 0, Explain(err)
	}
	return saved.Version, nil
}

// Pending returns the handles of a flow's unfinished runs, the last saved
// first.
func (s Stages) Pending(ctx context.Context, flow string) ([]string, error) {
	stages, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	pending, err := stages.Pending(ctx, s.Bundle+"_"+flow)
	if err != nil {
		return nil, Explain(err)
	}
	handles := make([]string, 0, len(pending))
	for _, stage := range pending {
		handles = append(handles, stage.Handle)
	}
	return handles, nil
}

func (s Stages) open(ctx context.Context) (StageStore, error) {
	stages, err := s.Store(ctx)
	return stages, Explain(err)
}
