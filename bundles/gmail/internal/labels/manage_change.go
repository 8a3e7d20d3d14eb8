package labels

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
	"kota/metadata"
)

// createLabel creates the label and its missing parents.
func createLabel(ctx context.Context, m *mailbox.Mailbox, set *mailbox.LabelSet, name, color string) (ManageOut, error) {
	if existing := set.UserLabel(name); existing != nil {
		return ManageOut{Labels: Rows(ctx, m, set, existing), Note: "it already exists; nothing was changed"}, nil
	}
	var missing []string
	parts := strings.Split(name, "/")
	for i := range parts {
		path := strings.Join(parts[:i+1], "/")
		if set.UserLabel(path) == nil {
			missing = append(missing, path)
		}
	}
	if err := m.NameStore(mailbox.NameKindLabel).Record(ctx, m.Account.Key(), false, missing...); err != nil {
		return ManageOut{}, err
	}
	title := "create label " + name
	var wanted, created []*gmailapi.Label
	for _, path := range missing {
		wanted = append(wanted, &gmailapi.Label{Name: path, LabelListVisibility: "labelShow", MessageListVisibility: "show"})
	}
	wanted[len(wanted)-1].Color = colors[color]
	undo, err := m.Undos().Save(ctx, m.Account.Key(), title, KindManage, labelUndo{Created: wanted})
	if err != nil {
		return ManageOut{}, err
	}
	for _, want := range wanted {
		l, err := makeLabel(ctx, m, want)
		if err != nil {
			return ManageOut{}, m.PartialError(ctx, undo, title, err, len(created) > 0, labelUndo{Created: created})
		}
		created = append(created, l)
	}
	if err := m.Undos().Amend(ctx, undo, title, labelUndo{Created: created}); err != nil {
		return ManageOut{}, err
	}
	return ManageOut{Labels: Rows(ctx, m, set, created...), UndoID: undo}, nil
}

// makeLabel creates one label. If Google did not say whether it created the label,
// makeLabel looks for the label.
func makeLabel(ctx context.Context, m *mailbox.Mailbox, want *gmailapi.Label) (*gmailapi.Label, error) {
	l, err := m.API.Users.Labels.Create(mailbox.Me, want).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.OutcomeUnknown {
		if created := findSameLabel(ctx, m, want); created != nil {
			return created, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("create label: %w", err)
	}
	return l, nil
}

// findSameLabel returns the label with the same name and appearance as want. It returns nil
// if there is no such label or a request fails.
func findSameLabel(ctx context.Context, m *mailbox.Mailbox, want *gmailapi.Label) *gmailapi.Label {
	set, err := m.ReadLabels(ctx)
	if err != nil {
		return nil
	}
	l := set.UserLabel(want.Name)
	if l == nil {
		return nil
	}
	if l, err = m.API.Users.Labels.Get(mailbox.Me, l.Id).Context(ctx).Do(); err != nil { // a list has no colors
		return nil
	}
	none := &gmailapi.LabelColor{}
	color, wantColor := cmp.Or(l.Color, none), cmp.Or(want.Color, none)
	if color.BackgroundColor != wantColor.BackgroundColor || color.TextColor != wantColor.TextColor ||
		l.LabelListVisibility != want.LabelListVisibility || l.MessageListVisibility != want.MessageListVisibility {
		return nil
	}
	return l
}

// renameLabel renames the label. It also renames its nested labels, because Gmail's API
// does not.
func renameLabel(ctx context.Context, m *mailbox.Mailbox, set *mailbox.LabelSet, label *gmailapi.Label, name string) (ManageOut, error) {
	if existing := set.UserLabel(name); existing != nil && existing.Id != label.Id {
		set.Untrusted.Provenance(ctx, existing.Name) // the error quotes the name in Gmail
		return ManageOut{}, metadata.Errorf(metadata.Conflict, "the label %q already exists", existing.Name).
			WithHint("Choose another name, or move the messages of the old label with gmail_modify_messages: add the existing label, remove the old one.")
	}
	affected := append([]*gmailapi.Label{label}, set.Nested(label)...)
	names := newNames(label, name, affected)
	for i, l := range affected {
		if err := m.NameStore(mailbox.NameKindLabel).Record(ctx, m.Account.Key(), set.Untrusted.Contains(l.Name), names[i]); err != nil {
			return ManageOut{}, err
		}
	}
	title := fmt.Sprintf("rename label %s to %s", label.Name, name)
	undo, err := m.Undos().Save(ctx, m.Account.Key(), title, KindManage, labelUndo{Renamed: affected, NewNames: names})
	if err != nil {
		return ManageOut{}, err
	}
	var renamed []*gmailapi.Label
	for i, l := range affected {
		changed, err := patchLabel(ctx, m, l.Id, &gmailapi.Label{Name: names[i]})
		if err != nil {
			return ManageOut{}, m.PartialError(ctx, undo, title, err, i > 0, labelUndo{Renamed: affected[:i], NewNames: names[:i]})
		}
		renamed = append(renamed, changed)
	}
	return ManageOut{Labels: Rows(ctx, m, set, renamed...), UndoID: undo}, nil
}

// newNames returns the new names of the affected labels, which are the label and its nested
// labels. name is the label's new name.
func newNames(label *gmailapi.Label, name string, affected []*gmailapi.Label) []string {
	names := make([]string, len(affected))
	for i, l := range affected {
		rest := strings.Split(l.Name, "/")[strings.Count(label.Name, "/")+1:]
		names[i] = strings.Join(append([]string{name}, rest...), "/")
	}
	return names
}

// changeAppearance shows, hides or colors the label.
func changeAppearance(ctx context.Context, m *mailbox.Mailbox, set *mailbox.LabelSet, label *gmailapi.Label, in ManageIn) (ManageOut, error) {
	was, err := m.API.Users.Labels.Get(mailbox.Me, label.Id).Context(ctx).Do()
	if err != nil {
		return ManageOut{}, fmt.Errorf("read label: %w", err)
	}
	want := *was
	switch in.Operation {
	case "show":
		want.LabelListVisibility = "labelShow"
	case "hide":
		want.LabelListVisibility = "labelHide"
	case "color":
		want.Color = colors[in.Color]
	}
	appearance := func(l *gmailapi.Label) *labelAppearance { return appearanceOf(l, in.Operation == "color") }
	title := fmt.Sprintf("%s label %s", in.Operation, label.Name)
	undo, err := m.Undos().Save(ctx, m.Account.Key(), title, KindManage, labelUndo{AppearanceBefore: appearance(was), AppearanceAfter: appearance(&want)})
	if err != nil {
		return ManageOut{}, err
	}
	changed, err := putLabel(ctx, m, &want)
	if err != nil {
		return ManageOut{}, m.PartialError(ctx, undo, title, err, false, nil)
	}
	return ManageOut{Labels: Rows(ctx, m, set, changed), UndoID: undo}, nil
}

// patchLabel changes the fields of a label that are set in want.
func patchLabel(ctx context.Context, m *mailbox.Mailbox, id string, want *gmailapi.Label) (*gmailapi.Label, error) {
	l, err := m.API.Users.Labels.Patch(mailbox.Me, id, want).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("change label: %w", err)
	}
	return l, nil
}

// putLabel replaces a label. A patch could not remove the label's color.
func putLabel(ctx context.Context, m *mailbox.Mailbox, want *gmailapi.Label) (*gmailapi.Label, error) {
	l, err := m.API.Users.Labels.Update(mailbox.Me, want.Id, &gmailapi.Label{
		Id: want.Id, Name: want.Name, Color: want.Color, LabelListVisibility: want.LabelListVisibility, MessageListVisibility: want.MessageListVisibility,
	}).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("change label: %w", err)
	}
	return l, nil
}
