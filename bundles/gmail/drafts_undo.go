package gmail

import (
	"context"
	"encoding/json"
	"fmt"

	"kota/metadata"
)

// undoDraft is the kind of change under which drafts are kept.
const undoDraft = "draft"

// putDraftBack makes a draft again what it was: in its place, or as a new one
// where it was deleted.
func putDraftBack(ctx context.Context, m *mailbox, raw json.RawMessage) (putBack, error) {
	var before draftBefore
	if err := json.Unmarshal(raw, &before); err != nil {
		return putBack{}, fmt.Errorf("read what was kept of the draft: %w", err)
	}
	_, err := m.replaceDraft(ctx, before.Draft, before.Thread, before.Raw)
	if metadata.CodeOf(err) == metadata.NotFound && before.Thread != "" { // which it may have been alone in
		_, err = m.replaceDraft(ctx, before.Draft, "", before.Raw)
	}
	switch metadata.CodeOf(err) {
	case "":
		return putBack{Note: "the draft is as it was"}, nil
	case metadata.NotFound:
	default:
		return putBack{}, fmt.Errorf("put the draft back: %w", err)
	}
	draft, err := m.createDraft(ctx, before.Raw, before.Thread)
	if metadata.CodeOf(err) == metadata.NotFound { // its thread is gone too
		draft, err = m.createDraft(ctx, before.Raw, "")
	}
	if err != nil {
		return putBack{}, fmt.Errorf("put the draft back: %w", err)
	}
	return putBack{Note: "the draft is back; its draft_id is now " + draft.Id}, nil
}
