package gmail

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/persist"
	"kota/metadata"
)

// undoLabel is the kind of change that made, changed or deleted a label.
const undoLabel = "label"

// labelBefore is what is kept of a change of labels themselves. One of Created,
// Renamed, Dressed and Deleted is set.
type labelBefore struct {
	Created  []*gmailapi.Label `json:"created,omitempty"` // as they were made, parents first; without an id: it is not known
	Renamed  []*gmailapi.Label `json:"renamed,omitempty"` // as they were called
	Called   []string          `json:"called,omitempty"`  // what they were called by the change
	Dressed  *dressed          `json:"dressed,omitempty"`
	Left     *dressed          `json:"left,omitempty"` // how the change left it
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

// lookOf is how a label looks: its color, or else whether it is shown.
func lookOf(l *gmailapi.Label, color bool) *dressed {
	if color {
		return &dressed{ID: l.Id, Color: l.Color, Colored: true}
	}
	return &dressed{ID: l.Id, Visibility: l.LabelListVisibility}
}

// words are the look in words.
func (d *dressed) words() string {
	switch {
	case d == nil:
		return ""
	case d.Colored:
		return colorWords(d.Color)
	}
	return d.Visibility
}

// colorWords names a color as KOTA does, and else by its number.
func colorWords(c *gmailapi.LabelColor) string {
	if c == nil {
		return "none"
	}
	for name, known := range colors {
		if known != nil && known.BackgroundColor == c.BackgroundColor && known.TextColor == c.TextColor {
			return name
		}
	}
	return c.BackgroundColor + " with text " + c.TextColor
}

func undoLabelItself(ctx context.Context, m *mailbox, r persist.Reversal, raw json.RawMessage) (putBack, error) {
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
		return restoreLabel(ctx, m, set, before)
	case before.Dressed != nil:
		return restoreAppearance(ctx, m, r, before)
	case before.Renamed != nil:
		return renameBack(ctx, m, r, set, before)
	}
	return unmakeLabels(ctx, m, r, set, before.Created)
}

// restoreLabel makes a deleted label again, as it was, and puts it back on the
// messages that had it.
func restoreLabel(ctx context.Context, m *mailbox, set *labelSet, before labelBefore) (putBack, error) {
	l, err := set.own(before.Deleted.Name), error(nil)
	if l == nil {
		l, err = makeLabel(ctx, m, &gmailapi.Label{
			Name: before.Deleted.Name, Color: before.Deleted.Color,
			LabelListVisibility: before.Deleted.LabelListVisibility, MessageListVisibility: before.Deleted.MessageListVisibility,
		})
	}
	if err != nil {
		return putBack{}, err
	}
	r := relabel(ctx, m, before.Messages, nil, []string{l.Id}, nil)
	back := putBack{Messages: len(r.changed(before.Messages)), Failed: r.failures(before.Messages)}
	if l.Id != before.Deleted.Id {
		m.reissued(ctx, before.Deleted.Id, l.Id, undoLabel)
		back.Note = "the label has a new id, and filters that used it have to be made again"
	}
	return back, nil
}

// restoreAppearance gives a label the look that it had.
func restoreAppearance(ctx context.Context, m *mailbox, r persist.Reversal, before labelBefore) (putBack, error) {
	was := before.Dressed
	now, err := m.api.Users.Labels.Get(me, was.ID).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return putBack{Note: "the label does not exist any more"}, nil
	}
	if err != nil {
		return putBack{}, fmt.Errorf("read label: %w", err)
	}
	changed := false
	field := persist.Field{Name: "visibility", Restore: func() { now.LabelListVisibility, changed = was.Visibility, true }}
	if was.Colored {
		field = persist.Field{Name: "color", Restore: func() { now.Color, changed = was.Color, true }}
	}
	field.Before, field.After, field.Now = was.words(), before.Left.words(), lookOf(now, was.Colored).words()
	if err := r.Restore(field); err != nil || !changed {
		return putBack{}, err
	}
	_, err = putLabel(ctx, m, now)
	return putBack{}, err
}

// renameBack gives labels the names they had, but for those that are deleted
// or whose old name is taken.
func renameBack(ctx context.Context, m *mailbox, r persist.Reversal, set *labelSet, before labelBefore) (putBack, error) {
	var left []string
	var again []*gmailapi.Label
	var fields []persist.Field
	for i, was := range slices.Backward(before.Renamed) {
		now, there := set.byID[was.Id]
		if holder := set.own(was.Name); !there || holder != nil && holder.Id != was.Id {
			left = append(left, was.Name)
			continue
		}
		field := persist.Field{Name: "the name of " + was.Name, Before: was.Name, Now: now, Restore: func() { again = append(again, was) }}
		if i < len(before.Called) {
			field.After = before.Called[i]
		}
		fields = append(fields, field)
	}
	if err := r.Restore(fields...); err != nil {
		return putBack{}, err
	}
	for _, was := range again {
		if _, err := patchLabel(ctx, m, was.Id, &gmailapi.Label{Name: was.Name}); err != nil {
			return putBack{}, err
		}
	}
	if len(left) > 0 {
		return putBack{Note: "not renamed, because the label is gone or the name is taken: " + strings.Join(left, ", ")}, nil
	}
	return putBack{}, nil
}
