package drafts

import (
	"context"
	"fmt"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

// ReadHead reads whom a draft is for and what it is about.
func ReadHead(ctx context.Context, m *mailbox.Mailbox, id string) (*mailmsg.Message, error) {
	draft, err := m.API.Users.Drafts.Get(mailbox.Me, id).Format("metadata").Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("read the draft: %w", err)
	}
	message := &mailmsg.Message{}
	if draft.Message == nil || draft.Message.Payload == nil {
		return message, nil
	}
	header := func(name string) string { return mailbody.Header(draft.Message.Payload, name) }
	if from, _ := mailmsg.ParseAddressList(header("From")); len(from) > 0 {
		message.From = from[0]
	}
	message.To, _ = mailmsg.ParseAddressList(header("To"))
	message.Cc, _ = mailmsg.ParseAddressList(header("Cc"))
	message.Bcc, _ = mailmsg.ParseAddressList(header("Bcc"))
	message.Subject = mailmsg.DecodeHeader(header("Subject"))
	return message, nil
}

// Read reads a draft whole. When only its message cannot be understood,
// what is kept of it is returned with the error.
func Read(ctx context.Context, m *mailbox.Mailbox, id string) (*outgoing.Draft, *mailmsg.Message, []string, error) {
	before, err := outgoing.FetchDraft(ctx, m, id)
	if err != nil {
		return nil, nil, nil, err
	}
	message, lost, err := mailmsg.Parse(before.Raw)
	if err != nil {
		return before, nil, nil, metadata.Errorf(metadata.Unavailable, "the draft cannot be read whole, so it was left as it is: %w", err).
			WithHint("The user can change it in Gmail.")
	}
	return before, message, lost, nil
}
