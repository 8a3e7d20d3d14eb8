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

// modifyUndo is the undo record of a change of labels.
type modifyUndo struct {
	Names   map[string]string `json:"names,omitempty"` // names of the user's labels in the change, by id
	Changes []messageChange   `json:"did"`
}

// A relabelled is what happened to some messages. Undo touches only the labels in it.
type messageChange struct {
	IDs     []string `json:"ids"`
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
}

// ids returns the messages that were changed.
func (b modifyUndo) ids() []string {
	var ids []string
	for _, change := range b.Changes {
		ids = append(ids, change.IDs...)
	}
	return ids
}

func UndoModify(ctx context.Context, m *mailbox.Mailbox, _ persist.UndoAttempt, raw json.RawMessage) (mailbox.UndoResult, error) {
	before := modifyUndo{}
	if err := json.Unmarshal(raw, &before); err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read the undo record: %w", err)
	}
	ids, missing, err := FindCurrentIDs(ctx, m, before.Names)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	back := mailbox.UndoResult{}
	var deleted []string
	for _, change := range before.Changes {
		r := relabel(ctx, m, change.IDs, nil, ids.Of(change.Removed), ids.Of(change.Added))
		back.Messages += len(r.changed(change.IDs))
		for _, f := range r.failures(change.IDs) {
			if f.Code == metadata.NotFound {
				deleted = append(deleted, f.IDs...)
				continue
			}
			back.Failed = append(back.Failed, f)
		}
	}
	var notes []string
	if len(missing) > 0 {
		notes = append(notes, "these labels no longer exist: "+strings.Join(missing, ", "))
	}
	if len(deleted) > 0 {
		notes = append(notes, fmt.Sprintf("%d of the messages no longer exist", len(deleted)))
	}
	back.Note = strings.Join(notes, "; ")
	return back, nil
}

// CurrentIDs maps a label's old id to its new id, or to "" if the label is deleted.
type CurrentIDs map[string]string

// Of returns the current ids of these labels, without deleted labels.
func (r CurrentIDs) Of(ids []string) []string {
	list := []string{}
	for _, id := range ids {
		now, changed := r[id]
		switch {
		case !changed:
			list = append(list, id)
		case now != "":
			list = append(list, now)
		}
	}
	return list
}

// FindCurrentIDs finds the user's labels by their saved ids and names, because a label
// that was deleted and created again has another id. It also returns the names of the
// deleted labels.
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
