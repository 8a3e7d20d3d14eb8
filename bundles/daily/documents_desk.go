package daily

import (
	"context"
	"encoding/json"
	"strings"

	"kota/bundles/internal/persist"
	"kota/bundles/staged"
)

// deskFlow is the name under which documents that are under way are kept,
// whichever action began them.
const deskFlow = "document"

// A desk is the Stages of one of the actions that write documents. What lies on
// it is on the desk of the others too.
type desk struct {
	persist.Stages
	action string // whose it is
}

// Open keeps a new document and returns its handle.
func (d desk) Open(ctx context.Context, _, stage string, state json.RawMessage) (handle string, err error) {
	return d.Stages.Open(ctx, deskFlow, stage, state)
}

// Get returns what the handle stands for as begun by this action.
func (d desk) Get(ctx context.Context, handle string) (flow, stage string, state json.RawMessage, version int64, err error) {
	flow, stage, state, version, err = d.Stages.Get(ctx, handle)
	if flow == deskFlow {
		flow = d.action
	}
	return flow, stage, state, version, err
}

// Pending returns the handles of all documents that are under way.
func (d desk) Pending(ctx context.Context, _ string) ([]string, error) {
	return d.Stages.Pending(ctx, deskFlow)
}

// begunAs says which document is under way, by the state that is kept of it.
func begunAs(state json.RawMessage) string {
	doc := staged.Document{}
	if err := json.Unmarshal(state, &doc); err != nil || doc.Type == "" {
		return "a document"
	}
	return strings.TrimSuffix(doc.Type+" of "+doc.Period, " of ")
}
