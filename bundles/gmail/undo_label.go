package gmail

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/metadata"
)

// undoLabel is the kind of change that made, changed or deleted a label.
const undoLabel = "label"

// labelBefore is what is kept of a change of labels themselves. One of its
// fields is set.
type labelBefore struct {
	Created  []string          `json:"created,omitempty"` // names, parents first
	Renamed  []*gmailapi.Label `json:"renamed,omitempty"` // as they were called
	Dressed  *dressed          `json:"dressed,omitempty"`
	Deleted  *gmailapi.Label   `json:"deleted,omitempty"`
	Messages []string          `json:"messages,omitempty"` // that had the deleted one
}

// dressed is how a label looked: its color, or else whether it was shown.
type dressed struct {
	ID         string               `json:"id"`
	Visibility string               `json:"visibility,omitempty"`
	Color      *gmailapi.LabelColor `json:"color,omitempty"`
	Colored    bool                 `json:"colored,omitempty"`
}

func undoLabelItself(ctx context.Context, m *mailbox, raw json.RawMessage) (putBack, error) {
	before := labelBefore{}
	if err := json.Unmarshal(raw, &before); err != nil {
		return putBack{}, fmt.Errorf("read what was before: %w", err)
	}
	set, err := m.readLabels(ctx)
	if err != nil {
		return putBack{}, err
	}
	defer m.forgetLabels()
	switch {
	case before.Deleted != nil:
		return m.restoreLabel(ctx, set, before)
	case before.Dressed != nil:
		return m.redress(ctx, before.Dressed)
	case before.Renamed != nil:
		return m.renameBack(ctx, set, before.Renamed)
	}
	return m.unmakeLabels(ctx, set, before.Created)
}

// restoreLabel makes a deleted label again, as it was, and puts it back on the
// messages that had it.
func (m *mailbox) restoreLabel(ctx context.Context, set *labelSet, before labelBefore) (putBack, error) {
	l, err := set.own(before.Deleted.Name), error(nil)
	if l == nil {
		l, err = m.makeLabel(ctx, &gmailapi.Label{
			Name: before.Deleted.Name, Color: before.Deleted.Color,
			LabelListVisibility: before.Deleted.LabelListVisibility, MessageListVisibility: before.Deleted.MessageListVisibility,
		})
	}
	if err != nil {
		return putBack{}, err
	}
	r := m.relabel(ctx, before.Messages, nil, []string{l.Id}, nil)
	back := putBack{Messages: len(r.changed(before.Messages)), Failed: r.failures(before.Messages)}
	if l.Id != before.Deleted.Id {
		back.Note = "the label has a new id, and filters that used it have to be made again"
	}
	return back, nil
}

func (m *mailbox) redress(ctx context.Context, was *dressed) (putBack, error) {
	now, err := m.api.Users.Labels.Get(me, was.ID).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return putBack{Note: "the label does not exist any more"}, nil
	}
	if err != nil {
		return putBack{}, fmt.Errorf("read label: %w", err)
	}
	if was.Colored {
		now.Color = was.Color
	} else {
		now.LabelListVisibility = was.Visibility
	}
	_, err = m.putLabel(ctx, now)
	return putBack{}, err
}

// renameBack gives labels the names they had, but for those that are deleted
// or whose old name is taken.
func (m *mailbox) renameBack(ctx context.Context, set *labelSet, were []*gmailapi.Label) (putBack, error) {
	var left []string
	for _, was := range slices.Backward(were) {
		_, there := set.byID[was.Id]
		holder := set.own(was.Name)
		if !there || holder != nil && holder.Id != was.Id {
			left = append(left, was.Name)
			continue
		}
		if _, err := m.patchLabel(ctx, was.Id, &gmailapi.Label{Name: was.Name}); err != nil {
			return putBack{}, err
		}
	}
	if len(left) > 0 {
		return putBack{Note: "not renamed, because the label is gone or the name is taken: " + strings.Join(left, ", ")}, nil
	}
	return putBack{}, nil
}

// unmakeLabels deletes labels that were made, innermost first, but for those
// that are in use by now.
func (m *mailbox) unmakeLabels(ctx context.Context, set *labelSet, names []string) (putBack, error) {
	var used []string
	for _, name := range slices.Backward(names) {
		own := set.own(name)
		if own == nil {
			continue // it is gone
		}
		l, err := m.api.Users.Labels.Get(me, own.Id).Context(ctx).Do()
		if err == nil && l.MessagesTotal > 0 {
			used = append(used, name)
			continue
		}
		if err == nil {
			err = m.api.Users.Labels.Delete(me, own.Id).Context(ctx).Do()
		}
		if err != nil && metadata.CodeOf(err) != metadata.NotFound {
			return putBack{}, fmt.Errorf("delete label: %w", err)
		}
	}
	if len(used) > 0 {
		return putBack{Note: "kept, because messages have it by now: " + strings.Join(used, ", ")}, nil
	}
	return putBack{}, nil
}
