package labels

import (
	"context"
	"fmt"
	"slices"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// deleteCreated deletes created labels, innermost first. If one of them was changed later
// or has messages, deleteCreated returns CONFLICT unless attempt.Overwrite is set.
func deleteCreated(ctx context.Context, m *mailbox.Mailbox, attempt persist.UndoAttempt, set *mailbox.LabelSet, created []*gmailapi.Label) (mailbox.UndoResult, error) {
	var existing []*gmailapi.Label
	var changed []metadata.Problem
	for _, label := range slices.Backward(created) {
		now, problem, err := checkCreated(ctx, m, set, label)
		if err != nil {
			return mailbox.UndoResult{}, err
		}
		if now != nil {
			existing = append(existing, now)
		}
		if problem != nil {
			changed = append(changed, *problem)
		}
	}
	if len(changed) > 0 {
		if err := attempt.ConflictUnlessOverwrite("the label was changed since it was created", changed...); err != nil {
			return mailbox.UndoResult{}, err
		}
	}
	if len(existing) == 0 {
		return mailbox.UndoResult{Note: "it was already deleted"}, nil
	}
	result := mailbox.UndoResult{}
	for _, now := range existing {
		if now.MessagesTotal > 0 { // deleteLabel saves which messages have the label
			deleted, err := deleteLabel(ctx, m, set, now)
			if err != nil {
				return mailbox.UndoResult{}, err
			}
			result.Note = bundles.WithoutHiddenTools(ctx, "the label is deleted; it was on messages. gmail_undo restores it") + " with undo_id " + deleted.UndoID
			continue
		}
		err := m.API.Users.Labels.Delete(mailbox.Me, now.Id).Context(ctx).Do()
		if err != nil && metadata.CodeOf(err) != metadata.NotFound {
			return mailbox.UndoResult{}, fmt.Errorf("delete label: %w", err)
		}
	}
	return result, nil
}

// checkCreated returns the current state of a created label, or nil if it is deleted. The
// problem names one change since the creation. It is nil if nothing changed.
func checkCreated(ctx context.Context, m *mailbox.Mailbox, set *mailbox.LabelSet, created *gmailapi.Label) (*gmailapi.Label, *metadata.Problem, error) {
	id := created.Id
	if id == "" { // the outcome was unknown: another label may have that name
		sameName := set.UserLabel(created.Name)
		if sameName == nil {
			return nil, nil, nil
		}
		id = sameName.Id
	}
	now, err := m.API.Users.Labels.Get(mailbox.Me, id).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read label: %w", err)
	}
	path := "label " + created.Name
	for _, difference := range []struct {
		exists bool
		words  string
	}{
		{created.Id == "", "a label of that name, and it is unknown whether that call created it"},
		{now.Name != created.Name, "its name is " + now.Name},
		{colorName(now.Color) != colorName(created.Color), "its color is " + colorName(now.Color)},
		{now.LabelListVisibility != created.LabelListVisibility, "its visibility is " + now.LabelListVisibility},
		{now.MessagesTotal > 0, "it is on " + messages(int(now.MessagesTotal))},
	} {
		if difference.exists {
			problem := persist.ChangedProblem(path, difference.words)
			return now, &problem, nil
		}
	}
	return now, nil, nil
}
