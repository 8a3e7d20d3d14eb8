package gmail

import (
	"context"
	"fmt"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

func (m *mailbox) readOne(ctx context.Context, id string, in getIn, limit int64) (*messageOut, error) {
	if in.Format == "source" {
		return m.source(ctx, id)
	}
	if in.Format == "headers" {
		message, err := m.message(ctx, id, "metadata", limit)
		if err != nil {
			return nil, err
		}
		out := m.present(ctx, message)
		out.text = headerLines(message.Payload)
		return out, nil
	}
	message, broken, err := m.full(ctx, id, limit)
	if err != nil {
		return nil, err
	}
	out := m.present(ctx, message)
	out.Note = broken
	out.read(message.Payload, in.IncludeQuoted)
	return out, nil
}

// source returns a message as it was sent.
func (m *mailbox) source(ctx context.Context, id string) (*messageOut, error) {
	head, err := m.message(ctx, id, "metadata", sizeAlone)
	if err != nil {
		return nil, err
	}
	message, err := m.message(ctx, id, "raw", sizeAlone)
	if err != nil {
		return nil, err
	}
	raw, err := mailbody.DecodeBase64(message.Raw)
	if err != nil {
		return nil, metadata.Errorf(metadata.Unavailable, "the source of message %s cannot be read: %w", id, err).WithHint("Read it with format markdown or headers.")
	}
	out := m.present(ctx, head)
	if out.Provenance == nil { // what the source quotes is not looked for
		out.Provenance = untrusted.Mixed(ctx, untrusted.Mail)
	}
	out.text, _ = htmltext.Text(string(raw))
	return out, nil
}

// headerLines are all headers, one to a line.
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
