package gmail

import (
	"context"

	"kota/bundles"
	"kota/bundles/gmail/internal/labels"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
	"kota/metadata"
)

func (g *gmail) modifyAction() bundles.Action {
	yes := true
	return bundles.Bind(metadata.Action{
		Name: "modify_messages", Effect: metadata.Writes, Scopes: []string{mailbox.ScopeModify},
		Summary:     "Archive, mark, star, label, trash or report messages.",
		Description: "gmail_undo undoes it. false does the opposite: archive false moves to the inbox.",
		Tags:        []string{"archive", "delete", "labels", "organise"},
		Aliases: metadata.Aliases{
			"archive: - message messages email emails mail thread threads (archive: true)",
			"unarchive move_to_inbox: - message messages email emails (archive: false)",
			"delete remove trash bin batch_delete move_to_trash: - message messages email emails mail mails thread threads (trash: true)",
			"untrash restore: - message messages email emails thread (trash: false)",
			"mark_read mark_as_read mark_message_read mark_message_as_read mark_messages_as_read mark_email_as_read mark_emails_as_read mark_thread_as_read: - (read: true)",
			"mark_unread mark_as_unread mark_message_unread mark_message_as_unread mark_messages_as_unread mark_email_as_unread mark_emails_as_unread: - (read: false)",
			"star flag: - message messages email emails (star: true)",
			"unstar unflag: - message messages email emails (star: false)",
			"mark_spam mark_as_spam report_spam spam: - (spam: true)",
			"label add_label add_labels apply_label: - message messages email emails (add_labels)",
			"unlabel remove_label remove_labels: - message messages (remove_labels)",
			"modify update change batch_modify: message messages email emails labels message_labels thread",
			"batch_modify move: - message messages email emails",
		},
		Examples: []metadata.Example{
			{Title: "See what would be marked as read", Args: labels.ModifyIn{Query: "is:unread in:inbox", Read: &yes, DryRun: true}},
			{Title: "Archive what matches", Args: labels.ModifyIn{Query: "category:promotions older_than:1y", Archive: &yes, Limit: 100}},
			{Title: "Trash one", Args: labels.ModifyIn{Query: "from:news@example.com", Trash: &yes, Limit: 20}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.TooLarge, metadata.OutcomeUnknown),
		Notes: []string{
			"Give one of ids, thread_ids and query. A query that matches more than 500 messages (trash: 100) needs limit, and changes the newest.",
			"Name labels in upper or lower case, with their parents: \"Work/Receipts\". Labels are not created here: see gmail_manage_label.",
			"archive only removes a message from the inbox. Gmail deletes trash after 30 days; KOTA never deletes mail for good.",
			"spam true also removes the messages from the inbox; spam false moves them back.",
		},
	}, g.modify)
}

func (g *gmail) modify(ctx context.Context, in labels.ModifyIn) (labels.ModifyOut, error) {
	if err := in.Check(); err != nil {
		return labels.ModifyOut{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return labels.ModifyOut{}, err
	}
	return labels.Modify(ctx, m, in)
}
