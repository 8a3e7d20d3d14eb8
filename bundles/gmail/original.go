package gmail

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

// An original is a mail that is answered or passed on.
type original struct {
	id, thread string
	from       *mail.Address // nil when it names none that could be answered
	replyTo    []*mail.Address
	to, cc     []*mail.Address
	came       []*mail.Address     // where it was delivered to, which need not be in to or cc
	unreadable map[string][]string // what is no address in From, Reply-To, To and Cc
	subject    string
	date       time.Time
	messageID  string
	references []string // those of an answer to it
	text       string   // what a person would have read
	isMarkdown bool     // text is Markdown, made from HTML
	html       string   // as it came; "" when it has none
	files      []attachment
	received   string // id of the newest mail of the thread that came from somebody else, when it was found by its thread
}

// original reads the mail with that id, or the newest of a thread: the newest
// that somebody sent or received, since a draft in the thread answers nothing.
func (m *mailbox) original(ctx context.Context, messageID, threadID string) (*original, error) {
	received := ""
	if messageID == "" {
		var err error
		if messageID, received, err = m.newest(ctx, threadID); err != nil {
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
	o := newOriginal(message)
	o.received = received
	return o, nil
}

// newest returns the id of the newest mail of a thread that is neither a draft
// nor in the trash, and that of the newest that the user did not send, be it
// in the trash; "" where there is none.
func (m *mailbox) newest(ctx context.Context, thread string) (id, received string, err error) {
	found, err := m.api.Users.Threads.Get(me, thread).Format("minimal").Context(ctx).Do()
	if err != nil {
		return "", "", fmt.Errorf("read the thread to answer: %w", err)
	}
	date, came := int64(-1), int64(-1)
	for _, message := range found.Messages {
		is := func(label string) bool { return slices.Contains(message.LabelIds, label) }
		if !is(labelDraft) && !is(labelTrash) && message.InternalDate >= date {
			id, date = message.Id, message.InternalDate
		}
		if !is(labelDraft) && !is(labelSent) && message.InternalDate >= came {
			received, came = message.Id, message.InternalDate
		}
	}
	if id == "" {
		return "", "", metadata.Errorf(metadata.NotFound, "the thread %s has no mail that can be answered: there are only drafts and trash", thread).
			WithHint("Name the mail by message_id, or write a new one with gmail_send_message.")
	}
	return id, received, nil
}

func newOriginal(message *gmailapi.Message) *original {
	o := &original{id: message.Id, thread: message.ThreadId, date: time.UnixMilli(message.InternalDate), unreadable: map[string][]string{}}
	if message.Payload == nil {
		return o
	}
	header := func(name string) string { return partHeader(message.Payload, name) }
	list := func(name string) []*mail.Address {
		read, rest := mailmsg.ParseAddressList(strings.Join(partHeaders(message.Payload, name), ", "))
		o.unreadable[name] = rest
		return read
	}
	if from := list("From"); len(from) > 0 {
		o.from = from[0]
	}
	o.replyTo, o.to, o.cc = list("Reply-To"), list("To"), list("Cc")
	for _, name := range []string{"Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To"} {
		for _, value := range partHeaders(message.Payload, name) {
			read, _ := mailmsg.ParseAddressList(value)
			o.came = append(o.came, read...)
		}
	}
	o.subject = htmltext.First(mailmsg.DecodeHeader(header("Subject")), mostOfSubject)
	o.messageID = mailmsg.MessageID(header("Message-ID"))
	o.references = mailmsg.References(header("References"), header("In-Reply-To"), header("Message-ID"))
	if date, err := mail.ParseDate(header("Date")); err == nil {
		o.date = date
	}
	shown := readBody(message.Payload, bodyOptions{Quoted: true})
	o.text, o.isMarkdown = shown.Text, shown.Format == "markdown"
	left := mostParts
	if rich := firstHTML(message.Payload, 0, &left); rich != nil {
		r := bodyReader{room: mostBodyBytes}
		o.html = r.decode(r.bytes(rich.Body.Data), parameters(partHeader(rich, "Content-Type"))["charset"])
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

// firstHTML returns the first part that is HTML and no file, nil when there is
// none. Of a message with absurdly many or deep parts the rest is not looked
// at.
func firstHTML(part *gmailapi.MessagePart, depth int, left *int) *gmailapi.MessagePart {
	if *left--; part == nil || *left < 0 || depth > deepestPart || isFile(part) {
		return nil
	}
	if strings.EqualFold(part.MimeType, "text/html") && part.Body != nil {
		return part
	}
	for _, child := range part.Parts {
		if found := firstHTML(child, depth+1, left); found != nil {
			return found
		}
	}
	return nil
}

// decodeData decodes what Gmail gives as base64url, with or without padding.
func decodeData(data string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(data, "="))
}
