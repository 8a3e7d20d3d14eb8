package labels

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// KindManage is the undo kind for created, changed and deleted labels.
const KindManage = "label"

// labelUndo is the undo record of a change of labels themselves. Exactly one of Created,
// Renamed, AppearanceBefore and Deleted is set.
type labelUndo struct {
	Created          []*gmailapi.Label `json:"created,omitempty"` // parents first; without an id if the outcome is unknown
	Renamed          []*gmailapi.Label `json:"renamed,omitempty"` // the labels with their old names
	NewNames         []string          `json:"called,omitempty"`  // the new names, in the order of Renamed
	AppearanceBefore *labelAppearance  `json:"dressed,omitempty"`
	AppearanceAfter  *labelAppearance  `json:"left,omitempty"`
	Deleted          *gmailapi.Label   `json:"deleted,omitempty"`
	Messages         []string          `json:"messages,omitempty"` // the messages that had the deleted label
}

// labelAppearance is the color of a label if Colored is set, and otherwise its visibility.
type labelAppearance struct {
	ID         string               `json:"id"`
	Visibility string               `json:"visibility,omitempty"`
	Color      *gmailapi.LabelColor `json:"color,omitempty"`
	Colored    bool                 `json:"colored,omitempty"`
}

// appearanceOf returns the color of a label if wantColor is true, and otherwise its
// visibility.
func appearanceOf(l *gmailapi.Label, wantColor bool) *labelAppearance {
	if wantColor {
		return &labelAppearance{ID: l.Id, Color: l.Color, Colored: true}
	}
	return &labelAppearance{ID: l.Id, Visibility: l.LabelListVisibility}
}

// describe returns the appearance in words.
func (a *labelAppearance) describe() string {
	switch {
	case a == nil:
		return ""
	case a.Colored:
		return colorName(a.Color)
	}
	return a.Visibility
}

// colorName returns KOTA's name for a color. If KOTA has none, colorName returns the codes
// of the background and the text. For nil it returns "none".
func colorName(c *gmailapi.LabelColor) string {
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

// UndoManage undoes a change of labels themselves. raw is a labelUndo.
func UndoManage(ctx context.Context, m *mailbox.Mailbox, attempt persist.UndoAttempt, raw json.RawMessage) (mailbox.UndoResult, error) {
	before := labelUndo{}
	if err := json.Unmarshal(raw, &before); err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read the undo record: %w", err)
	}
	set, err := m.ReadLabels(ctx)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	defer m.ForgetLabels()
	switch {
	case before.Deleted != nil:
		return restoreLabel(ctx, m, set, before)
	case before.AppearanceBefore != nil:
		return restoreAppearance(ctx, m, attempt, before)
	case before.Renamed != nil:
		return restoreNames(ctx, m, attempt, set, before)
	}
	return deleteCreated(ctx, m, attempt, set, before.Created)
}

// restoreLabel creates a deleted label again, unless a label with its name
// exists. It adds the label to the messages that had it.
func restoreLabel(ctx context.Context, m *mailbox.Mailbox, set *mailbox.LabelSet, before labelUndo) (mailbox.UndoResult, error) {
	l, err := set.UserLabel(before.Deleted.Name), error(nil)
	if l == nil {
		l, err = makeLabel(ctx, m, &gmailapi.Label{
			Name: before.Deleted.Name, Color: before.Deleted.Color,
			LabelListVisibility: before.Deleted.LabelListVisibility, MessageListVisibility: before.Deleted.MessageListVisibility,
		})
	}
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	relabelled := relabel(ctx, m, before.Messages, nil, []string{l.Id}, nil)
	result := mailbox.UndoResult{Messages: len(relabelled.changed(before.Messages)), Failed: relabelled.failures(before.Messages)}
	if l.Id != before.Deleted.Id {
		m.ReplaceUndoID(ctx, before.Deleted.Id, l.Id, KindManage)
		result.Note = "the label has a new id; filters that used it must be created again"
	}
	return result, nil
}

// restoreAppearance restores the previous color or visibility of a label.
func restoreAppearance(ctx context.Context, m *mailbox.Mailbox, attempt persist.UndoAttempt, before labelUndo) (mailbox.UndoResult, error) {
	was := before.AppearanceBefore
	now, err := m.API.Users.Labels.Get(mailbox.Me, was.ID).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return mailbox.UndoResult{Note: "the label no longer exists"}, nil
	}
	if err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read label: %w", err)
	}
	changed := false
	field := persist.Field{Name: "visibility", Restore: func() { now.LabelListVisibility, changed = was.Visibility, true }}
	if was.Colored {
		field = persist.Field{Name: "color", Restore: func() { now.Color, changed = was.Color, true }}
	}
	field.Before, field.After, field.Now = was.describe(), before.AppearanceAfter.describe(), appearanceOf(now, was.Colored).describe()
	if err := attempt.Restore(field); err != nil || !changed {
		return mailbox.UndoResult{}, err
	}
	_, err = putLabel(ctx, m, now)
	return mailbox.UndoResult{}, err
}

// restoreNames restores the old names of labels. It skips a label that is deleted, or whose
// old name another label has.
func restoreNames(ctx context.Context, m *mailbox.Mailbox, attempt persist.UndoAttempt, set *mailbox.LabelSet, before labelUndo) (mailbox.UndoResult, error) {
	var skipped []string
	var restored []*gmailapi.Label
	var fields []persist.Field
	for i, was := range slices.Backward(before.Renamed) {
		now, exists := set.Names[was.Id]
		if sameName := set.UserLabel(was.Name); !exists || sameName != nil && sameName.Id != was.Id {
			skipped = append(skipped, was.Name)
			continue
		}
		field := persist.Field{Name: "the name of " + was.Name, Before: was.Name, Now: now, Restore: func() { restored = append(restored, was) }}
		if i < len(before.NewNames) {
			field.After = before.NewNames[i]
		}
		fields = append(fields, field)
	}
	if err := attempt.Restore(fields...); err != nil {
		return mailbox.UndoResult{}, err
	}
	for _, was := range restored {
		if _, err := patchLabel(ctx, m, was.Id, &gmailapi.Label{Name: was.Name}); err != nil {
			return mailbox.UndoResult{}, err
		}
	}
	if len(skipped) > 0 {
		return mailbox.UndoResult{Note: "not renamed, because the label no longer exists or the name is used: " + strings.Join(skipped, ", ")}, nil
	}
	return mailbox.UndoResult{}, nil
}
