package filters

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/labels"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// KindFilter is the undo kind for created and deleted filters.
const KindFilter = "filter"

// filterUndo is the undo record of a filter. Either Created or Deleted is set.
type filterUndo struct {
	Created    *gmailapi.Filter  `json:"created,omitempty"` // without an id, because the record is saved before Gmail creates the filter
	EarlierIDs []string          `json:"beside,omitempty"`  // the ids of older filters with the same conditions as Created
	Deleted    *gmailapi.Filter  `json:"deleted,omitempty"`
	Names      map[string]string `json:"names,omitempty"` // label id → name, of the user's labels in the filter
}

// Undo undoes the creation or deletion of a filter. raw is a filterUndo.
func Undo(ctx context.Context, m *mailbox.Mailbox, attempt persist.UndoAttempt, raw json.RawMessage) (mailbox.UndoResult, error) {
	before := filterUndo{}
	if err := json.Unmarshal(raw, &before); err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read the undo record: %w", err)
	}
	filters, err := listFilters(ctx, m)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	if before.Deleted != nil {
		return restoreFilter(ctx, m, filters, before)
	}
	i := slices.IndexFunc(filters, func(f *gmailapi.Filter) bool { return isSameFilter(f, before.Created) })
	if i < 0 {
		return deleteEdited(ctx, m, attempt, filters, before)
	}
	err = m.API.Users.Settings.Filters.Delete(mailbox.Me, filters[i].Id).Context(ctx).Do()
	if err != nil && metadata.CodeOf(err) != metadata.NotFound {
		return mailbox.UndoResult{}, fmt.Errorf("delete filter: %w", err)
	}
	return mailbox.UndoResult{}, nil
}

// deleteEdited undoes the creation of a filter whose actions were edited later. After such
// an edit, Gmail has a new filter with the same conditions. deleteEdited deletes it only if
// attempt.Overwrite is set.
func deleteEdited(ctx context.Context, m *mailbox.Mailbox, attempt persist.UndoAttempt, filters []*gmailapi.Filter, before filterUndo) (mailbox.UndoResult, error) {
	i := slices.IndexFunc(filters, func(f *gmailapi.Filter) bool {
		return isForSameMail(f, before.Created) && !slices.Contains(before.EarlierIDs, f.Id)
	})
	if i < 0 {
		return mailbox.UndoResult{Note: "the filter no longer exists"}, nil
	}
	rows, err := filterRows(ctx, m, filters[i])
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	if err := attempt.ConflictUnlessOverwrite("the filter for that mail was changed since then", persist.ChangedProblem("filter", rows.Filters[0].title())); err != nil {
		return mailbox.UndoResult{}, err
	}
	deleted, err := deleteFilter(ctx, m, filters[i].Id)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	return mailbox.UndoResult{Note: bundles.WithoutHiddenTools(ctx, "the filter is deleted, including the later changes. gmail_undo restores it") + " with undo_id " + deleted.UndoID}, nil
}

// restoreFilter creates a deleted filter again, with the current ids of its labels, unless
// the same filter exists.
func restoreFilter(ctx context.Context, m *mailbox.Mailbox, filters []*gmailapi.Filter, before filterUndo) (mailbox.UndoResult, error) {
	ids, missing, err := labels.FindCurrentIDs(ctx, m, before.Names)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	want := before.Deleted
	if want.Action == nil {
		want.Action = &gmailapi.FilterAction{}
	}
	want.Action.AddLabelIds, want.Action.RemoveLabelIds = ids.Of(want.Action.AddLabelIds), ids.Of(want.Action.RemoveLabelIds)
	if len(want.Action.AddLabelIds)+len(want.Action.RemoveLabelIds) == 0 {
		return mailbox.UndoResult{}, metadata.Errorf(metadata.Conflict, "the filter cannot be created again: its label %s no longer exists", strings.Join(missing, ", ")).
			WithHint("Create that label with gmail_manage_label, then repeat the call.")
	}
	if slices.ContainsFunc(filters, func(f *gmailapi.Filter) bool { return isSameFilter(f, want) }) {
		return mailbox.UndoResult{Note: "the same filter already exists"}, nil
	}
	if _, err := makeFilter(ctx, m, want); err != nil {
		return mailbox.UndoResult{}, err
	}
	result := mailbox.UndoResult{Note: "the filter has a new id"}
	if len(missing) > 0 {
		result.Note += "; without the labels that no longer exist: " + strings.Join(missing, ", ")
	}
	return result, nil
}
