package document

import (
	"context"
	"encoding/json"
	"strings"

	"kota/bundles/internal/persist"
	"kota/bundles/staged"
)

// flowName is the name under which documents that are under way are kept,
// whichever action began them.
const flowName = "document"

// FlowKey is flowName as the store knows it.
const FlowKey = "daily_" + flowName

// A SharedStages is the Stages of one of the actions that write documents. What one
// of them began the others go on with.
type SharedStages struct {
	persist.Stages
	Action string // whose it is
}

// Open keeps a new document and returns its handle.
func (s SharedStages) Open(ctx context.Context, _, stage string, state json.RawMessage) (handle string, err error) {
	return s.Stages.Open(ctx, flowName, stage, state)
}

// Get returns what the handle stands for as begun by this action.
func (s SharedStages) Get(ctx context.Context, handle string) (flow, stage string, state json.RawMessage, version int64, err error) {
	flow, stage, state, version, err = s.Stages.Get(ctx, handle)
	if flow == flowName {
		flow = s.Action
	}
	return flow, stage, state, version, err
}

// Pending returns the handles of all documents that are under way.
func (s SharedStages) Pending(ctx context.Context, _ string) ([]string, error) {
	return s.Stages.Pending(ctx, flowName)
}

// Title says which document is under way, by the state that is kept of it.
func Title(state json.RawMessage) string {
	doc := staged.Document{}
	if err := json.Unmarshal(state, &doc); err != nil || doc.Type == "" {
		return "a document"
	}
	return strings.TrimSuffix(doc.Type+" of "+doc.Period, " of ")
}
