package gmail

import (
	"context"
	"errors"
	"fmt"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/internal/google"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// The most that is taken of Gmail's answer with a message, in bytes. Files are
// not in it, so that text alone makes it large, and such text is an attack.
const (
	sizeAlone     = 16 << 20
	sizeAmongMany = 4 << 20
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

// full returns a message with its text. Of one that is too large or broken it
// returns the headers, and says so.
func (m *mailbox) full(ctx context.Context, id string, limit int64) (message *gmailapi.Message, broken string, err error) {
	message, err = m.message(ctx, id, "full", limit)
	why, ok := unreadable(err)
	if err == nil || !ok {
		return message, "", err
	}
	message, err = m.message(ctx, id, "metadata", limit)
	return message, "The text is left out: " + why + " Gmail itself may show it.", err
}

// message fetches a message in one of Gmail's formats.
func (m *mailbox) message(ctx context.Context, id, format string, limit int64) (*gmailapi.Message, error) {
	message, err := m.api.Users.Messages.Get(me, id).Format(format).Context(google.WithLimit(ctx, limit)).Do()
	if err != nil {
		return nil, fmt.Errorf("read message %s: %w", id, err)
	}
	return message, nil
}

// unreadable tells the errors of an answer that came and cannot be read from
// those of a request that was refused or lost: the first are the message's own.
func unreadable(err error) (why string, ok bool) {
	failure, foreign := (*google.Failure)(nil), (*metadata.Error)(nil)
	switch {
	case err == nil:
		return "", false
	case metadata.CodeOf(err) == metadata.TooLarge:
		return "the message is too large.", true
	case errors.As(err, &failure):
		return "Gmail's answer cannot be read.", failure.Status == 200
	}
	return "the message is nested too deep or broken.", !errors.As(err, &foreign) && !isEnded(err)
}

func isEnded(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
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
