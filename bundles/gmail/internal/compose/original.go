package compose

import (
	"context"
	"fmt"
	"slices"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/metadata"
)

// FindOriginal reads the mail to reply to or to forward, which has the id messageID. If
// messageID is "", FindOriginal reads the newest mail of the thread that is neither a draft
// nor in the trash.
func FindOriginal(ctx context.Context, m *mailbox.Mailbox, messageID, threadID string) (*mailbody.Original, error) {
	received := ""
	if messageID == "" {
		var err error
		if messageID, received, err = newestInThread(ctx, m, threadID); err != nil {
			return nil, err
		}
	}
	message, err := m.API.Users.Messages.Get(mailbox.Me, messageID).Format("full").Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("read the mail to answer: %w", err)
	}
	if slices.Contains(message.LabelIds, mailbox.Draft) {
		return nil, metadata.Errorf(metadata.ValidationError, "the mail %s is a draft, so there is nothing to answer or forward: nothing was done", messageID).
			WithHint("Change it with gmail_update_draft or send it with gmail_send_draft; gmail_list_drafts has its draft_id.")
	}
	o := mailbody.NewOriginal(message)
	o.Received = received
	return o, nil
}

// newestInThread returns the ids of two mails in a thread. id is the newest mail that is
// neither a draft nor in the trash. received is the newest mail that the user did not
// send, or "".
func newestInThread(ctx context.Context, m *mailbox.Mailbox, thread string) (id, received string, err error) {
	found, err := m.API.Users.Threads.Get(mailbox.Me, thread).Format("minimal").Context(ctx).Do()
	if err != nil {
		return "", "", fmt.Errorf("read the thread to answer: %w", err)
	}
	date, receivedDate := int64(-1), int64(-1)
	for _, message := range found.Messages {
		is := func(label string) bool { return slices.Contains(message.LabelIds, label) }
		if !is(mailbox.Draft) && !is(mailbox.Trash) && message.InternalDate >= date {
			id, date = message.Id, message.InternalDate
		}
		if !is(mailbox.Draft) && !is(mailbox.Sent) && message.InternalDate >= receivedDate {
			received, receivedDate = message.Id, message.InternalDate
		}
	}
	if id == "" {
		return "", "", metadata.Errorf(metadata.NotFound, "the thread %s has no mail to answer, only drafts and trash", thread).
			WithHint("Name the mail by message_id, or write a new one with gmail_send_message.")
	}
	return id, received, nil
}
