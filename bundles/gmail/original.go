package gmail

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/emersion/go-message/charset"
	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/rfc5322"
	"kota/metadata"
)

// An original is a mail that is answered or passed on.
type original struct {
	id, thread string
	from       *mail.Address // nil when it names none that could be answered
	replyTo    []*mail.Address
	to, cc     []*mail.Address
	came       []*mail.Address // where it was delivered to, which need not be in to or cc
	subject    string
	date       time.Time
	messageID  string
	references []string // those of an answer to it
	text       string   // what a person would have read, as Markdown
	html       string   // as it came; "" when it has none
	files      []attachment
}

// original reads the mail with that id, or the newest of a thread: the newest
// that somebody sent or received, since a draft in the thread answers nothing.
func (m *mailbox) original(ctx context.Context, messageID, threadID string) (*original, error) {
	if messageID == "" {
		var err error
		if messageID, err = m.newest(ctx, threadID); err != nil {
			return nil, err
		}
	}
	message, err := m.api.Users.Messages.Get(me, messageID).Format("full").Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("read the mail to answer: %w", err)
	}
	if slices.Contains(message.LabelIds, labelDraft) {
		return nil, metadata.Errorf(metadata.ValidationError, "the mail %s is a draft, which nobody has received: nothing was done", messageID).
			WithHint("Change it with gmail_update_draft or send it with gmail_send_draft; gmail_list_drafts has its draft_id.")
	}
	return newOriginal(message), nil
}

// newest returns the id of the newest mail of a thread that is neither a draft
// nor in the trash.
func (m *mailbox) newest(ctx context.Context, thread string) (string, error) {
	found, err := m.api.Users.Threads.Get(me, thread).Format("minimal").Context(ctx).Do()
	if err != nil {
		return "", fmt.Errorf("read the thread to answer: %w", err)
	}
	id, date := "", int64(-1)
	for _, message := range found.Messages {
		if !slices.Contains(message.LabelIds, labelDraft) && !slices.Contains(message.LabelIds, labelTrash) && message.InternalDate >= date {
			id, date = message.Id, message.InternalDate
		}
	}
	if id == "" {
		return "", metadata.Errorf(metadata.NotFound, "the thread %s has no mail that can be answered: there are only drafts and trash", thread).
			WithHint("Name the mail by message_id, or write a new one with gmail_send_message.")
	}
	return id, nil
}

func newOriginal(message *gmailapi.Message) *original {
	o := &original{id: message.Id, thread: message.ThreadId, date: time.UnixMilli(message.InternalDate)}
	if message.Payload == nil {
		return o
	}
	header := func(name string) string { return partHeader(message.Payload, name) }
	list := func(name string) []*mail.Address {
		read, _ := rfc5322.ParseAddressList(header(name))
		return read
	}
	if from := list("From"); len(from) > 0 {
		o.from = from[0]
	}
	o.replyTo, o.to, o.cc = list("Reply-To"), list("To"), list("Cc")
	for _, name := range []string{"Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To"} {
		for _, value := range partHeaders(message.Payload, name) {
			read, _ := rfc5322.ParseAddressList(value)
			o.came = append(o.came, read...)
		}
	}
	o.subject = rfc5322.DecodeHeader(header("Subject"))
	o.messageID = rfc5322.MessageID(header("Message-ID"))
	o.references = rfc5322.References(header("References"), header("In-Reply-To"), header("Message-ID"))
	if date, err := mail.ParseDate(header("Date")); err == nil {
		o.date = date
	}
	var found bodies
	left := mostParts
	found.walk(message.Payload, 0, &left)
	o.html = textOfPart(found.html)
	if o.text = visible(textOfPart(found.text)); strings.TrimSpace(o.text) == "" {
		o.text = textOfHTML(o.html)
	}
	o.files = attachments(message.Payload)
	return o
}

// partHeaders returns all headers of that name, in any case.
func partHeaders(part *gmailapi.MessagePart, name string) (values []string) {
	for _, h := range part.Headers {
		if strings.EqualFold(h.Name, name) {
			values = append(values, h.Value)
		}
	}
	return values
}

// bodies are the first text and the first HTML that are no files.
type bodies struct{ text, html *gmailapi.MessagePart }

// walk goes through a part and those within. Of a message with absurdly many
// or deep parts the rest is left.
func (b *bodies) walk(part *gmailapi.MessagePart, depth int, left *int) {
	if *left--; *left < 0 || depth > deepestPart || isFile(part) {
		return
	}
	switch {
	case part.MimeType == "text/plain" && b.text == nil:
		b.text = part
	case part.MimeType == "text/html" && b.html == nil:
		b.html = part
	}
	for _, child := range part.Parts {
		b.walk(child, depth+1, left)
	}
}

// textOfPart returns the text of a part. Gmail gives UTF-8 whatever the
// declared charset says; only where it did not is that charset asked.
func textOfPart(part *gmailapi.MessagePart) string {
	if part == nil || part.Body == nil {
		return ""
	}
	raw, err := decodeData(part.Body.Data)
	if err != nil {
		return ""
	}
	if !utf8.Valid(raw) {
		if _, after, ok := strings.Cut(strings.ToLower(partHeader(part, "Content-Type")), "charset="); ok {
			name, _, _ := strings.Cut(strings.Trim(after, `"' `), ";")
			if decoded, err := charset.Reader(strings.Trim(name, `"' `), strings.NewReader(string(raw))); err == nil {
				raw = readAll(decoded, raw)
			}
		}
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD")
}

// decodeData decodes what Gmail gives as base64url, with or without padding.
func decodeData(data string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(data, "="))
}
