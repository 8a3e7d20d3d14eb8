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

// Provenance returns the provenance of a message with these labels, or nil if the user
// wrote all of it. It decides by the labels of sent mail and drafts, which only Gmail
// assigns, because anybody can forge a From header. sender is the address to name as the
// source. hasQuotes means that the user's mail contains the words of others. A draft counts
// as partly by others, because its author is unknown.
func Provenance(ctx context.Context, labels []string, sender string, hasQuotes bool) *untrusted.Provenance {
	switch {
	case !isFromUser(labels):
		return untrusted.Mark(ctx, untrusted.Mail, sender)
	case hasQuotes || slices.Contains(labels, mailbox.Draft):
		return untrusted.MarkPartly(ctx, untrusted.Mail)
	}
	return nil
}

// isFromUser reports whether a message with these labels was sent by the user or is a
// draft.
func isFromUser(labels []string) bool {
	return slices.Contains(labels, mailbox.Sent) || slices.Contains(labels, mailbox.Draft)
}

// ProvenanceOfSummary returns the provenance of a message in a list.
func ProvenanceOfSummary(ctx context.Context, h *store.MailSummary) *untrusted.Provenance {
	snippet := strings.ReplaceAll(html.UnescapeString(h.Snippet), " > ", "\n> ") // a snippet is a single line
	return Provenance(ctx, h.Labels, "", h.ID != h.Thread || isReplyOrForward(h.Header) || hasQuoteMarks(snippet))
}

// ProvenanceOfMessage returns the provenance of a message, based on the parts that were
// read.
func ProvenanceOfMessage(ctx context.Context, message *gmailapi.Message) *untrusted.Provenance {
	header := func(name string) string { return mailbody.Header(message.Payload, name) }
	hasQuotes := isFromUser(message.LabelIds) && (message.Id != message.ThreadId || isReplyOrForward(header) || quotesOthers(message.Payload))
	return Provenance(ctx, message.LabelIds, mailbody.Sender(message), hasQuotes)
}

// isReplyOrForward reports whether the headers are those of a reply or a forward. Both
// repeat other mail.
func isReplyOrForward(header func(name string) string) bool {
	subject := mailmsg.DecodeHeader(header("Subject"))
	return header("In-Reply-To") != "" || header("References") != "" || !mailmsg.HasNoPrefix(subject)
}

// quotesOthers reports whether the message quotes or contains other mail.
func quotesOthers(payload *gmailapi.MessagePart) bool {
	if slices.ContainsFunc(mailbody.Attachments(payload), func(file mailbody.Attachment) bool { return strings.HasPrefix(strings.ToLower(file.Type), "message/") }) {
		return true
	}
	body := mailbody.Read(payload, mailbody.Options{})
	return body.QuotedChars > 0 || hasQuoteMarks(body.Text)
}

// hasQuoteMarks reports whether a text has a quoted line, or a separator line above a
// quote. From the text of a message, mailbody.Read has already removed the quotes at the
// end.
func hasQuoteMarks(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, ">") || strings.Contains(line, "-----") {
			return true
		}
	}
	return false
}

// ItemName returns the name of a message for bundles.MarkShown.
func ItemName(id string) string { return "gmail message " + id }

// MarkShown records that the answer shows a message. Call it only when the answer is
// complete and nothing more is left out.
func MarkShown(ctx context.Context, id string) { bundles.MarkShown(ctx, ItemName(id)) }
