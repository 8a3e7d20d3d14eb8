package outgoing

import (
	"bytes"
	"context"
	"encoding/json"
	"net/mail"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/internal/mailmsg"
	"kota/store"
)

// An Envelope describes the mail of an outbox item for people. The item keeps it after the
// mail is sent, when KOTA deletes the bytes of the mail.
type Envelope struct {
	From        string   `json:"from,omitempty"`
	To          []string `json:"to"`
	Cc          []string `json:"cc,omitempty"`
	Bcc         []string `json:"bcc,omitempty"`
	Subject     string   `json:"subject"`
	Attachments []string `json:"attachments,omitempty"` // file names
	Warnings    []string `json:"warnings,omitempty"`
	Content     string   `json:"content,omitempty"` // HexDigest of the approved content
}

func (e Envelope) recipients() []string { return slices.Concat(e.To, e.Cc, e.Bcc) }

// addresses returns the addresses of all recipients, without display names. It keeps text
// that is not an address.
func (e Envelope) addresses() []string {
	list := e.recipients()
	for i, recipient := range list {
		if at := strings.LastIndex(recipient, " <"); at >= 0 && strings.HasSuffix(recipient, ">") {
			list[i] = recipient[at+2 : len(recipient)-1]
		}
	}
	return list
}

func envelopeOf(item store.OutboxItem) Envelope {
	var e Envelope
	_ = json.Unmarshal(item.Summary, &e) // this package wrote the summary; a broken one counts as empty
	return e
}

// NewEnvelope returns the envelope of a message.
func NewEnvelope(m *mailmsg.Message) Envelope {
	e := Envelope{From: mailbody.ShowAddress(m.From), To: mailbody.ShowAddresses(m.To), Cc: mailbody.ShowAddresses(m.Cc), Bcc: mailbody.ShowAddresses(m.Bcc), Subject: m.Subject}
	for _, f := range m.Attachments {
		e.Attachments = append(e.Attachments, f.Name)
	}
	return e
}

// envelopeIn returns the envelope of a mail with that header, without Attachments.
func envelopeIn(header mail.Header) Envelope {
	people := func(name string) []string {
		list, rest := mailmsg.ParseAddressList(strings.Join(header[name], ", "))
		return append(mailbody.ShowAddresses(list), rest...)
	}
	return Envelope{
		From: strings.Join(people("From"), ", "), To: people("To"), Cc: people("Cc"), Bcc: people("Bcc"),
		Subject: mailmsg.DecodeHeader(header.Get("Subject")),
	}
}

// headerOf returns the header of a mail, or an empty one if it cannot be parsed.
func headerOf(raw []byte) mail.Header {
	if m, err := mail.ReadMessage(bytes.NewReader(raw)); err == nil {
		return m.Header
	}
	return mail.Header{}
}

// taintHeader marks a draft that KOTA wrote after untrusted content was read. The mark is
// in the draft itself, so that every session and process sees it, and undo restores it.
// The mark is removed when the draft is sent. It is also lost if the user edits the draft
// in a program that drops unknown headers.
const (
	taintHeader = "X-Kota-Words"
	taintValue  = "mixed" // the value of taintHeader
)

// MarkIfTainted returns a draft to be saved. It marks the draft if the current session has
// read untrusted content.
func MarkIfTainted(ctx context.Context, raw []byte) []byte {
	if !bundles.HasUntrusted(ctx) {
		return raw
	}
	return MarkTainted(raw)
}

// MarkTainted returns the mail with exactly one taint header.
func MarkTainted(raw []byte) []byte {
	return slices.Concat([]byte(taintHeader+": "+taintValue+"\r\n"), removeTaint(raw))
}

// removeTaint returns the mail without the taint header, which recipients need not see.
func removeTaint(raw []byte) []byte {
	header, body, found := bytes.Cut(raw, []byte("\r\n\r\n"))
	lines := slices.DeleteFunc(bytes.Split(header, []byte("\r\n")), func(line []byte) bool {
		name, _, _ := bytes.Cut(line, []byte(":"))
		return bytes.EqualFold(bytes.TrimSpace(name), []byte(taintHeader))
	})
	header = bytes.Join(lines, []byte("\r\n"))
	if !found {
		return header
	}
	return slices.Concat(header, []byte("\r\n\r\n"), body)
}

// IsTainted reports whether a draft has the taint header. It returns true if the header of
// the draft cannot be read.
func IsTainted(raw []byte) bool {
	header := headerOf(raw)
	return len(header) == 0 || header.Get(taintHeader) != ""
}
