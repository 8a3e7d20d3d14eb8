package gmail

import (
	"context"
	"fmt"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

func readMessage(ctx context.Context, m *mailbox.Mailbox, id string, in getIn, limit int64) (*present.Message, error) {
	if in.Format == "source" {
		return readSource(ctx, m, id)
	}
	if in.Format == "headers" {
		message, err := m.Message(ctx, id, "metadata", limit)
		if err != nil {
			return nil, err
		}
		out := present.NewMessage(ctx, m, message)
		out.SetText(headerLines(message.Payload))
		return out, nil
	}
	message, note, err := m.FullMessage(ctx, id, limit)
	if err != nil {
		return nil, err
	}
	out := present.NewMessage(ctx, m, message)
	out.Note = note
	out.SetBody(message.Payload, in.IncludeQuoted)
	return out, nil
}

// readSource returns a message whose text is the source of the mail, without
// invisible characters.
func readSource(ctx context.Context, m *mailbox.Mailbox, id string) (*present.Message, error) {
	headers, err := m.Message(ctx, id, "metadata", mailbox.MaxMessage)
	if err != nil {
		return nil, err
	}
	message, err := m.Message(ctx, id, "raw", mailbox.MaxMessage)
	if err != nil {
		return nil, err
	}
	raw, err := mailbody.DecodeBase64(message.Raw)
	if err != nil {
		return nil, metadata.Errorf(metadata.Unavailable, "the source of message %s cannot be read: %w", id, err).WithHint("Read it with format markdown or headers.")
	}
	out := present.NewMessage(ctx, m, headers)
	if out.Provenance == nil { // the headers do not show whether the source quotes others
		out.Provenance = untrusted.MarkPartly(ctx, untrusted.Mail)
	}
	text, _ := htmltext.Text(string(raw))
	out.SetText(text)
	return out, nil
}

// headerLines returns all headers, one per line.
func headerLines(payload *gmailapi.MessagePart) string {
	if payload == nil {
		return ""
	}
	var b strings.Builder
	for _, h := range payload.Headers {
		fmt.Fprintf(&b, "%s: %s\n", htmltext.Line(h.Name), htmltext.Line(h.Value))
	}
	return b.String()
}
