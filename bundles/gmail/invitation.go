package gmail

import (
	"context"
	"strings"

	"kota/bundles"
	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/arguments"
	"kota/metadata"
)

// maxInvitationBytes is the largest size of an invitation's calendar file.
const maxInvitationBytes = 1 << 20

// Invitation returns a function for other bundles. The function takes an account and a
// message id. It returns the calendar file (RFC 6047) in the message's text or attachments.
// It returns NOT_FOUND if the message has no calendar file, and TOO_LARGE if the file
// exceeds 1 MB. Invitation itself does not use deps.
func Invitation(deps Deps) func(ctx context.Context, account, messageID string) ([]byte, error) {
	g := newGmail(deps)
	return g.invitation
}

func (g *gmail) invitation(ctx context.Context, account, messageID string) ([]byte, error) {
	if err := mailbox.CheckID("message_id", messageID); err != nil {
		return nil, err
	}
	ctx = bundles.WithScopes(ctx, []string{mailbox.ScopeRead})
	m, err := g.Open(ctx, account)
	if err != nil {
		return nil, err
	}
	message, err := m.Message(ctx, messageID, "full", mailbox.MaxMessage)
	if err != nil {
		return nil, err
	}
	file, ok := calendarFile(mailbody.Attachments(message.Payload))
	if !ok {
		return nil, metadata.Errorf(metadata.NotFound, "the message has no calendar file").
			WithHint("Read the message with gmail_get_message; another message of the thread may have the invitation.")
	}
	if file.Size > maxInvitationBytes {
		return nil, metadata.Errorf(metadata.TooLarge, "%s has %s MB, and an invitation has at most 1", arguments.Brief(file.Name), metadata.MiB(file.Size)).
			WithHint("The user can open the message in Gmail to answer it.")
	}
	return attachment.Content(ctx, m, message.Id, file)
}

// calendarFile returns the file that mail programs show as an invitation, or false if there
// is none. Most invitations contain the file in the text and also as an attachment.
func calendarFile(files []mailbody.Attachment) (mailbody.Attachment, bool) {
	for _, matches := range []func(mailbody.Attachment) bool{
		func(f mailbody.Attachment) bool { return f.Type == "text/calendar" },
		func(f mailbody.Attachment) bool { return f.Type == "application/ics" },
		func(f mailbody.Attachment) bool { return strings.HasSuffix(strings.ToLower(f.Name), ".ics") },
	} {
		for _, f := range files {
			if matches(f) {
				return f, true
			}
		}
	}
	return mailbody.Attachment{}, false
}
