package outgoing

import (
	"bytes"
	"context"
	"encoding/hex"
	"net/mail"
	"slices"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/mailmsg"
)

// checkDraft returns CONFLICT if the draft of the outbox item now contains another mail,
// which the repeated call did not ask to send.
func (a *attempt) checkDraft(ctx context.Context) error {
	raw, err := a.box.Raw(ctx, a.item.ID)
	if err != nil {
		return err
	}
	ctx, cancel := a.transferContext(ctx, mailbox.MaxRaw)
	defer cancel()
	draft, err := FetchDraft(ctx, a.Sender.Mailbox, a.item.Draft)
	if err != nil {
		return err
	}
	if !isSameMail(raw, draft.Raw) {
		return draftEditedError(a.item)
	}
	return nil
}

// checkApproved returns CONFLICT if the user's draft is not the mail that was approved.
func (a *attempt) checkApproved(raw []byte) error {
	if now := contentDigest(raw); envelopeOf(a.item).Content != hex.EncodeToString(now[:]) {
		return draftChangedError(a.item)
	}
	return nil
}

// isSameMail reports whether two mails have the same content and recipients. It ignores
// encoding and other headers. An unreadable mail is never the same.
func isSameMail(a, b []byte) bool {
	one, unparsed, err := mailmsg.Parse(a)
	if err != nil {
		return false
	}
	other, otherUnparsed, err := mailmsg.Parse(b)
	if err != nil {
		return false
	}
	from := func(m *mailmsg.Message) []*mail.Address {
		if m.From == nil {
			return nil
		}
		return []*mail.Address{m.From}
	}
	return slices.Equal(unparsed, otherUnparsed) && isSameList(from(one), from(other)) &&
		isSameList(one.To, other.To) && isSameList(one.Cc, other.Cc) && isSameList(one.Bcc, other.Bcc) && isSameList(one.ReplyTo, other.ReplyTo) &&
		one.Subject == other.Subject && one.Text == other.Text && one.HTML == other.HTML &&
		slices.EqualFunc(one.Inline, other.Inline, isSameFile) && slices.EqualFunc(one.Attachments, other.Attachments, isSameFile)
}

func isSameList(a, b []*mail.Address) bool { return slices.EqualFunc(a, b, mailbox.SameAddress) }

func isSameFile(a, b mailmsg.File) bool { return a.Name == b.Name && bytes.Equal(a.Content, b.Content) }
