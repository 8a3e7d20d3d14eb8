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

// deleteCreated deletes created labels, innermost first. If one was changed later or has
// messages, it deletes none of them unless r allows that.
func deleteCreated(ctx context.Context, m *mailbox.Mailbox, r persist.UndoAttempt, set *mailbox.LabelSet, created []*gmailapi.Label) (mailbox.UndoResult, error) {
	var existing []*gmailapi.Label
	var changed []metadata.Problem
	for _, one := range slices.Backward(created) {
		now, problem, err := checkCreated(ctx, m, set, one)
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
		if err := r.ConflictUnlessOverwrite("the label was changed since it was created", changed...); err != nil {
			return mailbox.UndoResult{}, err
		}
	}
	if len(existing) == 0 {
		return mailbox.UndoResult{Note: "it was already deleted"}, nil
	}
	back := mailbox.UndoResult{}
	for _, now := range existing {
		if now.MessagesTotal > 0 { // deleteLabel saves which messages have it
			deleted, err := deleteLabel(ctx, m, set, now)
			if err != nil {
				return mailbox.UndoResult{}, err
			}
			back.Note = bundles.WithoutHiddenTools(ctx, "the label is deleted; it was on messages. gmail_undo restores it") + " with undo_id " + deleted.UndoID
			continue
		}
		err := m.API.Users.Labels.Delete(mailbox.Me, now.Id).Context(ctx).Do()
		if err != nil && metadata.CodeOf(err) != metadata.NotFound {
			return mailbox.UndoResult{}, fmt.Errorf("delete label: %w", err)
		}
	}
	return back, nil
}

// checkCreated returns the current state of a created label, or nil if it is deleted, and
// what changed since.
func checkCreated(ctx context.Context, m *mailbox.Mailbox, set *mailbox.LabelSet, created *gmailapi.Label) (*gmailapi.Label, *metadata.Problem, error) {
	id := created.Id
	if id == "" { // may be another label with that name
		own := set.UserLabel(created.Name)
		if own == nil {
			return nil, nil, nil
		}
		id = own.Id
	}
	now, err := m.API.Users.Labels.Get(mailbox.Me, id).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read label: %w", err)
	}
	path := "label " + created.Name
	for _, is := range []struct {
		changed bool
		words   string
	}{
		{created.Id == "", "a label of that name, and it is unknown whether that call created it"},
		{now.Name != created.Name, "its name is " + now.Name},
		{colorName(now.Color) != colorName(created.Color), "its color is " + colorName(now.Color)},
		{now.LabelListVisibility != created.LabelListVisibility, "its visibility is " + now.LabelListVisibility},
		{now.MessagesTotal > 0, "it is on " + messages(int(now.MessagesTotal))},
	} {
		if is.changed {
			problem := persist.ChangedProblem(path, is.words)
			return now, &problem, nil
		}
	}
	return now, nil, nil
}
