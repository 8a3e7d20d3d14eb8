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

// mostOfAnInvitation bounds the calendar file of a mail, in bytes.
const mostOfAnInvitation = 1 << 20

// Invitation returns a function for other bundles, of the account and the id of
// a message: it returns the calendar file that the message holds (RFC 6047), in
// its text or attached. It answers NOT_FOUND when it holds none, and TOO_LARGE
// for one over 1 MB. Nothing is touched before it is called.
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
	message, err := m.Message(ctx, messageID, "full", mailbox.MaxAlone)
	if err != nil {
		return nil, err
	}
	file, ok := calendarFile(mailbody.Attachments(message.Payload))
	if !ok {
		return nil, metadata.Errorf(metadata.NotFound, "the message holds no calendar file").
			WithHint("Look at it with gmail_get_message: another message of the thread may have the invitation.")
	}
	if file.Size > mostOfAnInvitation {
		return nil, metadata.Errorf(metadata.TooLarge, "%s has %d MB, and an invitation has at most 1", arguments.Brief(file.Name), file.Size>>20).
			WithHint("The user can open the message in Gmail to answer it.")
	}
	return attachment.Content(ctx, m, message.Id, file)
}

// calendarFile returns the file that mail programs show as an invitation: most
// mails carry it once in the text, and once more attached.
func calendarFile(files []mailbody.Attachment) (mailbody.Attachment, bool) {
	for _, isOne := range []func(mailbody.Attachment) bool{
		func(f mailbody.Attachment) bool { return f.Type == "text/calendar" },
		func(f mailbody.Attachment) bool { return f.Type == "application/ics" },
		func(f mailbody.Attachment) bool { return strings.HasSuffix(strings.ToLower(f.Name), ".ics") },
	} {
		for _, f := range files {
			if isOne(f) {
				return f, true
			}
		}
	}
	return mailbody.Attachment{}, false
}
