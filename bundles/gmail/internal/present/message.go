package present

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/untrusted"
)

// A Message is a message with its body, as the answer shows it.
type Message struct {
	Account     string                `json:"account,omitempty"` // only if the argument account is "*"
	ID          string                `json:"id"`
	Thread      string                `json:"thread_id"`
	Date        string                `json:"date"` // RFC 3339, in the user's zone
	From        string                `json:"from"`
	To          []string              `json:"to,omitempty"`
	Cc          []string              `json:"cc,omitempty"`
	Bcc         []string              `json:"bcc,omitempty"`
	ReplyTo     []string              `json:"reply_to,omitempty"`
	Subject     string                `json:"subject"`
	Labels      []string              `json:"labels"` // by name
	Unread      bool                  `json:"unread,omitempty"`
	Draft       bool                  `json:"draft,omitempty"`
	MessageID   string                `json:"message_id,omitempty"`  // the Message-ID header
	Unsubscribe bool                  `json:"unsubscribe,omitempty"` // it has a List-Unsubscribe header
	Attachments []mailbody.Attachment `json:"attachments,omitempty"`
	MoreFiles   int                   `json:"more_attachments,omitempty"` // the number of files that are not listed

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // set if others wrote parts of the message, or may have
	BodyText

	labels     []string              // the ids of Labels
	recipients [4][]string           // all addresses of To, Cc, Bcc and ReplyTo
	files      []mailbody.Attachment // all attachments
}

// A BodyText is the text of a message, or a part of it.
type BodyText struct {
	Body       string     `json:"body"`
	TotalChars int        `json:"total_chars"` // the length of the whole body
	NextOffset int        `json:"next_offset,omitempty"`
	Dropped    *omissions `json:"dropped,omitempty"`
	Note       string     `json:"note,omitempty"`

	text        string // the whole body
	isUntrusted bool   // others wrote the body, or a part of it
}

// omissions counts what a body omits.
type omissions struct {
	Hidden    int `json:"hidden,omitempty"`    // characters of hidden text
	Invisible int `json:"invisible,omitempty"` // characters without a glyph
	Trackers  int `json:"trackers,omitempty"`  // images that report that the mail was read
	Quoted    int `json:"quoted,omitempty"`    // characters of quoted earlier mail
}

// NewMessage returns a message without its body and without label names.
func NewMessage(ctx context.Context, m *mailbox.Mailbox, message *gmailapi.Message) *Message {
	header := func(name string) string { return mailbody.Header(message.Payload, name) }
	out := &Message{
		Account: m.Account.Name, ID: message.Id, Thread: message.ThreadId,
		Date: m.FormatTime(time.UnixMilli(message.InternalDate)),
		From: mailbody.ShortList(header("From")), Subject: mailbody.Line(header("Subject"), mailbody.MaxSubject),
		Labels: []string{}, MessageID: mailbody.Line(mailmsg.MessageID(header("Message-ID")), mailbody.MaxSubject),
		Unread: slices.Contains(message.LabelIds, mailbox.Unread), Draft: slices.Contains(message.LabelIds, mailbox.Draft),
		Unsubscribe: header("List-Unsubscribe") != "",
		Provenance:  ProvenanceOfMessage(ctx, message),
		labels:      message.LabelIds, files: mailbody.Attachments(message.Payload),
		recipients: [4][]string{listAddresses(header("To")), listAddresses(header("Cc")), listAddresses(header("Bcc")), listAddresses(header("Reply-To"))},
	}
	out.Crop(MaxListed)
	return out
}

// NameLabels fills in the names of the messages' labels.
func NameLabels(ctx context.Context, m *mailbox.Mailbox, messages []*Message) error {
	var ids []string
	for _, out := range messages {
		ids = append(ids, out.labels...)
	}
	set, err := m.LabelsOf(ctx, ids)
	if err != nil {
		return err
	}
	for _, out := range messages {
		out.Labels, out.Provenance = set.VisibleNames(out.labels), set.ProvenanceWith(ctx, out.Provenance, out.labels...)
	}
	return nil
}

// MaxListed limits each list of recipients and files in a message. MaxListedOfMany is the
// limit if several messages share the answer.
const (
	MaxListed       = 100
	MaxListedOfMany = 10
)

// Crop limits each list of recipients and files to limit entries, and shows the number of
// omitted entries.
func (out *Message) Crop(limit int) {
	for i, list := range []*[]string{&out.To, &out.Cc, &out.Bcc, &out.ReplyTo} {
		all := out.recipients[i]
		if *list = all; len(all) > limit {
			*list = append(all[:limit:limit], fmt.Sprintf("and %d more", len(all)-limit))
		}
	}
	shown := min(len(out.files), limit)
	out.Attachments, out.MoreFiles = out.files[:shown], len(out.files)-shown
}

// SetText sets the whole body.
func (b *BodyText) SetText(text string) { b.text = text }

// SetUntrusted sets whether others wrote the body. Such a body gets a fence.
func (b *BodyText) SetUntrusted(isUntrusted bool) { b.isUntrusted = isUntrusted }

// SetBody fills in the body from the parts of the message.
func (out *BodyText) SetBody(payload *gmailapi.MessagePart, withQuoted bool) {
	body := mailbody.Read(payload, mailbody.Options{Quoted: withQuoted})
	out.text = body.Text
	if dropped := (omissions{Hidden: body.Hidden, Invisible: body.Invisible, Trackers: body.Trackers, Quoted: body.QuotedChars}); dropped != (omissions{}) {
		out.Dropped = &dropped
	}
	if out.Note == "" {
		out.Note = strings.Join(body.Notes, "; ")
	}
}

// listAddresses returns the addresses of a header, each cut to MaxSubject characters.
func listAddresses(header string) []string {
	all := mailbody.Addresses(header)
	for i := range all {
		all[i] = htmltext.First(all[i], mailbody.MaxSubject)
	}
	return all
}
