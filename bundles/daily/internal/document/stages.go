package document

import (
	"context"
	"encoding/json"
	"strings"

	"kota/bundles/internal/persist"
	"kota/bundles/staged"
)

// flowName is the flow's name for all unfinished documents in the store. It does not depend
// on the action that began them.
const flowName = "document"

// FlowKey is flowName as the store writes it.
const FlowKey = "daily_" + flowName

// SharedStages are the Stages of an action that writes documents. Each action can continue
// the documents that the others began.
type SharedStages struct {
	persist.Stages
	Action string // the action that uses them
}

// Open saves a new document and returns its handle.
func (s SharedStages) Open(ctx context.Context, _, stage string, state json.RawMessage) (handle string, err error) {
	return s.Stages.Open(ctx, flowName, stage, state)
}

// Get returns the state of a handle, as if this action had begun it.
func (s SharedStages) Get(ctx context.Context, handle string) (flow, stage string, state json.RawMessage, version int64, err error) {
	flow, stage, state, version, err = s.Stages.Get(ctx, handle)
	if flow == flowName {
		flow = s.Action
	}
	return flow, stage, state, version, err
}

// Pending returns the handles of all unfinished documents.
func (s SharedStages) Pending(ctx context.Context, _ string) ([]string, error) {
	return s.Stages.Pending(ctx, flowName)
}

// Title names an unfinished document by its saved state.
func Title(state json.RawMessage) string {
	doc := staged.Document{}
	if err := json.Unmarshal(state, &doc); err != nil || doc.Type == "" {
		return "a document"
	}
	return strings.TrimSuffix(doc.Type+" of "+doc.Period, " of ")
}
