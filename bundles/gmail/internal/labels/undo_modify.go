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

// labelsBefore is the undo record of a change of labels.
type labelsBefore struct {
	Names map[string]string `json:"names,omitempty"` // names of the user's labels in the change, by id
	Did   []relabelled      `json:"did"`
}

// A relabelled is what happened to some messages. Undo touches only the labels in it.
type relabelled struct {
	IDs     []string `json:"ids"`
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
}

// ids returns the messages that were changed.
func (b labelsBefore) ids() []string {
	var ids []string
	for _, did := range b.Did {
		ids = append(ids, did.IDs...)
	}
	return ids
}

func UndoModify(ctx context.Context, m *mailbox.Mailbox, _ persist.Reversal, raw json.RawMessage) (mailbox.PutBack, error) {
	before := labelsBefore{}
	if err := json.Unmarshal(raw, &before); err != nil {
		return mailbox.PutBack{}, fmt.Errorf("read what was before: %w", err)
	}
	ids, lost, err := FindAgain(ctx, m, before.Names)
	if err != nil {
		return mailbox.PutBack{}, err
	}
	back := mailbox.PutBack{}
	var gone []string
	for _, did := range before.Did {
		r := relabel(ctx, m, did.IDs, nil, ids.Of(did.Removed), ids.Of(did.Added))
		back.Messages += len(r.changed(did.IDs))
		for _, f := range r.failures(did.IDs) {
			if f.Code == metadata.NotFound {
				gone = append(gone, f.IDs...)
				continue
			}
			back.Failed = append(back.Failed, f)
		}
	}
	var notes []string
	if len(lost) > 0 {
		notes = append(notes, "these labels do not exist any more: "+strings.Join(lost, ", "))
	}
	if len(gone) > 0 {
		notes = append(notes, fmt.Sprintf("%d of the messages do not exist any more", len(gone)))
	}
	back.Note = strings.Join(notes, "; ")
	return back, nil
}

// Renewed maps a label's old id to its new id, or to "" if the label is gone.
type Renewed map[string]string

// Of returns the current ids of these labels, without labels that are gone.
func (r Renewed) Of(ids []string) []string {
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

// FindAgain finds the user's labels by their saved ids and names, because a label that
// was deleted and created again has another id. It also returns the names of labels that
// are gone.
func FindAgain(ctx context.Context, m *mailbox.Mailbox, kept map[string]string) (Renewed, []string, error) {
	now := Renewed{}
	if len(kept) == 0 {
		return now, nil, nil
	}
	set, err := m.ReadLabels(ctx)
	if err != nil {
		return nil, nil, err
	}
	var lost []string
	for id, name := range kept {
		if _, there := set.Names[id]; there {
			continue
		}
		if now[id], _ = set.ID(name); now[id] == "" {
			lost = append(lost, name)
		}
	}
	return now, lost, nil
}
