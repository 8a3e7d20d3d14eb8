package labels

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// KindModify is the undo kind for changed labels of messages.
const KindModify = "labels"

// modifyUndo is the undo record of a change of messages' labels.
type modifyUndo struct {
	Names   map[string]string `json:"names,omitempty"` // id → name, of the user's labels in the change
	Changes []messageChange   `json:"did"`
}

// A messageChange says which labels were added to some messages and removed from them. Undo
// changes only these labels.
type messageChange struct {
	IDs     []string `json:"ids"`
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
}

// ids returns the ids of the changed messages.
func (b modifyUndo) ids() []string {
	var ids []string
	for _, change := range b.Changes {
		ids = append(ids, change.IDs...)
	}
	return ids
}

// UndoModify undoes a change of messages' labels. raw is a modifyUndo.
func UndoModify(ctx context.Context, m *mailbox.Mailbox, _ persist.UndoAttempt, raw json.RawMessage) (mailbox.UndoResult, error) {
	before := modifyUndo{}
	if err := json.Unmarshal(raw, &before); err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read the undo record: %w", err)
	}
	ids, missing, err := FindCurrentIDs(ctx, m, before.Names)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	result := mailbox.UndoResult{}
	var deleted []string
	for _, change := range before.Changes {
		relabelled := relabel(ctx, m, change.IDs, nil, ids.Of(change.Removed), ids.Of(change.Added))
		result.Messages += len(relabelled.changed(change.IDs))
		for _, f := range relabelled.failures(change.IDs) {
			if f.Code == metadata.NotFound {
				deleted = append(deleted, f.IDs...)
				continue
			}
			result.Failed = append(result.Failed, f)
		}
	}
	var notes []string
	if len(missing) > 0 {
		notes = append(notes, "these labels no longer exist: "+strings.Join(missing, ", "))
	}
	if len(deleted) > 0 {
		notes = append(notes, fmt.Sprintf("%d of the messages no longer exist", len(deleted)))
	}
	result.Note = strings.Join(notes, "; ")
	return result, nil
}

// CurrentIDs maps the saved id of a label to its new id, or to "" if the label is deleted.
// It does not contain ids that are still valid.
type CurrentIDs map[string]string

// Of returns the current ids of these labels, without deleted labels.
func (r CurrentIDs) Of(ids []string) []string {
	list := []string{}
	for _, id := range ids {
		newID, changed := r[id]
		switch {
		case !changed:
			list = append(list, id)
		case newID != "":
			list = append(list, newID)
		}
	}
	return list
}

// FindCurrentIDs finds the user's labels by their saved names, because a label that was
// deleted and created again has another id. names maps saved ids to names. FindCurrentIDs
// also returns the names of the deleted labels.
func FindCurrentIDs(ctx context.Context, m *mailbox.Mailbox, names map[string]string) (CurrentIDs, []string, error) {
	current := CurrentIDs{}
	if len(names) == 0 {
		return current, nil, nil
	}
	set, err := m.ReadLabels(ctx)
	if err != nil {
		return nil, nil, err
	}
	var missing []string
	for id, name := range names {
		if _, exists := set.Names[id]; exists {
			continue
		}
		if current[id], _ = set.ID(name); current[id] == "" {
			missing = append(missing, name)
		}
	}
	return current, missing, nil
}
