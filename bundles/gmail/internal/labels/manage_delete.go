package labels

import (
	"context"
	"fmt"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
	"kota/metadata"
)

// KOTA deletes a label only if at most maxLabelledMessages messages have it. It saves their
// ids, so that an undo can add the label to them again.
const maxLabelledMessages = 20_000

// deleteLabel saves which messages have the label, and then deletes it.
func deleteLabel(ctx context.Context, m *mailbox.Mailbox, set *mailbox.LabelSet, label *gmailapi.Label) (ManageOut, error) {
	was, err := m.API.Users.Labels.Get(mailbox.Me, label.Id).Context(ctx).Do()
	if err != nil {
		return ManageOut{}, fmt.Errorf("read label: %w", err)
	}
	if was.MessagesTotal > maxLabelledMessages {
		return ManageOut{}, &metadata.Error{
			Code:    metadata.TooLarge,
			Message: fmt.Sprintf("%s is on %d messages, and KOTA could restore it on at most %d: nothing was deleted", was.Name, was.MessagesTotal, maxLabelledMessages),
			Hint:    "Hide it instead; the user can delete it in Gmail.",
		}
	}
	ids, err := messagesWith(ctx, m, was.Id)
	if err != nil {
		return ManageOut{}, err
	}
	title := fmt.Sprintf("delete label %s from %s", was.Name, messages(len(ids)))
	undo, err := m.Undos().SaveMany(ctx, max(1, len(ids)), m.Account.Key(), title, KindManage, labelUndo{Deleted: was, Messages: ids})
	if err != nil {
		return ManageOut{}, err
	}
	err = m.API.Users.Labels.Delete(mailbox.Me, was.Id).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		err = nil // somebody deleted it meanwhile
	}
	if err != nil {
		return ManageOut{}, m.PartialError(ctx, undo, title, fmt.Errorf("delete label: %w", err), false, nil)
	}
	return ManageOut{Labels: Rows(ctx, m, set, was), Messages: len(ids), UndoID: undo}, nil
}

// messagesWith returns the ids of the messages that have the label, including spam and
// trash.
func messagesWith(ctx context.Context, m *mailbox.Mailbox, labelID string) ([]string, error) {
	ids := []string{}
	for token := ""; len(ids) <= maxLabelledMessages; {
		page, err := m.API.Users.Messages.List(mailbox.Me).LabelIds(labelID).IncludeSpamTrash(true).MaxResults(500).PageToken(token).
			Fields("messages/id", "nextPageToken").Context(ctx).Do()
		if err != nil {
			return nil, fmt.Errorf("list messages of label: %w", err)
		}
		for _, message := range page.Messages {
			ids = append(ids, message.Id)
		}
		if token = page.NextPageToken; token == "" {
			return ids, nil
		}
	}
	return ids[:maxLabelledMessages], nil // more messages arrived during the listing
}
