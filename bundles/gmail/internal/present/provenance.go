package present

import (
	"context"
	"html"
	"slices"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// Provenance is the provenance of a message with these labels: nil for the
// user's own words. Gmail alone gives the labels of what the user sent or began
// to write; a From line is anybody's. quotes says that what the user sent has the
// words of others in it. Nobody can tell who put the words into a draft.
func Provenance(ctx context.Context, labels []string, sender string, quotes bool) *untrusted.Provenance {
	switch {
	case !ofUser(labels):
		return untrusted.By(ctx, untrusted.Mail, sender)
	case quotes || slices.Contains(labels, mailbox.Draft):
		return untrusted.PartlyUntrusted(ctx, untrusted.Mail)
	}
	return nil
}

// ofUser reports whether the user sent a message with these labels, or drafted it.
func ofUser(labels []string) bool {
	return slices.Contains(labels, mailbox.Sent) || slices.Contains(labels, mailbox.Draft)
}

// ProvenanceOfSummary is that of a message in a list.
func ProvenanceOfSummary(ctx context.Context, h *store.MailHead) *untrusted.Provenance {
	snippet := strings.ReplaceAll(html.UnescapeString(h.Snippet), " > ", "\n> ") // which is one line
	return Provenance(ctx, h.Labels, "", h.ID != h.Thread || answers(h.Header) || saysQuoted(snippet))
}

// ProvenanceOfMessage is that of a message with as much of it as was read.
func ProvenanceOfMessage(ctx context.Context, message *gmailapi.Message) *untrusted.Provenance {
	header := func(name string) string { return mailbody.Header(message.Payload, name) }
	quotes := ofUser(message.LabelIds) && (message.Id != message.ThreadId || answers(header) || quotesWithin(message.Payload))
	return Provenance(ctx, message.LabelIds, mailbody.Sender(message), quotes)
}

// answers reports whether these headers are of an answer or a forward, which repeat other mail.
func answers(header func(name string) string) bool {
	subject := mailmsg.DecodeHeader(header("Subject"))
	return header("In-Reply-To") != "" || header("References") != "" || !mailmsg.IsFirst(subject)
}

// quotesWithin reports whether a message's text or one of its parts is other mail.
func quotesWithin(payload *gmailapi.MessagePart) bool {
	if slices.ContainsFunc(mailbody.Attachments(payload), func(file mailbody.Attachment) bool { return strings.HasPrefix(strings.ToLower(file.Type), "message/") }) {
		return true
	}
	body := mailbody.Read(payload, mailbody.Options{})
	return body.QuotedChars > 0 || saysQuoted(body.Text)
}

// saysQuoted reports whether a text shows a line above or before what others
// wrote. Unquoting has taken away what follows the rest.
func saysQuoted(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, ">") || strings.Contains(line, "-----") {
			return true
		}
	}
	return false
}

// Item names a message for bundles.MarkShown.
func Item(id string) string { return "gmail message " + id }

// MarkShown notes that the answer shows a message. Call it once nothing more is left
// out of the answer.
func MarkShown(ctx context.Context, id string) { bundles.MarkShown(ctx, Item(id)) }
