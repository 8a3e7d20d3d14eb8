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

// An Envelope is what people recognise a letter by, and what is answered of it:
// its bytes do not stay once it is sent.
type Envelope struct {
	From        string   `json:"from,omitempty"`
	To          []string `json:"to"`
	Cc          []string `json:"cc,omitempty"`
	Bcc         []string `json:"bcc,omitempty"`
	Subject     string   `json:"subject"`
	Attachments []string `json:"attachments,omitempty"` // their names
	Warnings    []string `json:"warnings,omitempty"`
	Content     string   `json:"content,omitempty"` // tells the mail that was let through from any other
}

// everybody returns all whom it is for.
func (e Envelope) everybody() []string { return slices.Concat(e.To, e.Cc, e.Bcc) }

// addresses returns the bare addresses of everybody. It keeps text that is no address.
func (e Envelope) addresses() []string {
	list := e.everybody()
	for i, one := range list {
		if at := strings.LastIndex(one, " <"); at >= 0 && strings.HasSuffix(one, ">") {
			list[i] = one[at+2 : len(one)-1]
		}
	}
	return list
}

func envelopeOf(l store.OutboxItem) Envelope {
	var e Envelope
	_ = json.Unmarshal(l.Summary, &e) // written above; a broken one shows as empty
	return e
}

// NewEnvelope is the envelope of a message.
func NewEnvelope(m *mailmsg.Message) Envelope {
	e := Envelope{From: mailbody.ShowAddress(m.From), To: mailbody.ShowAddresses(m.To), Cc: mailbody.ShowAddresses(m.Cc), Bcc: mailbody.ShowAddresses(m.Bcc), Subject: m.Subject}
	for _, f := range m.Attachments {
		e.Attachments = append(e.Attachments, f.Name)
	}
	return e
}

// envelopeIn is the envelope of a mail with that header.
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

// headerOf returns the header of a mail, as far as it can be read.
func headerOf(raw []byte) mail.Header {
	if m, err := mail.ReadMessage(bytes.NewReader(raw)); err == nil {
		return m.Header
	}
	return mail.Header{}
}

// wordsHeader marks a draft that KOTA wrote after text from strangers was read. It
// stands in the draft itself, so that every session and process sees it, and undo
// brings it back. The mark goes when the draft is sent, and when the user rewrites
// the draft in a program that drops unknown headers.
const (
	wordsHeader = "X-Kota-Words"
	mixedWords  = "mixed" // its value
)

// MarkIfTainted returns a draft that is about to be saved, marked where text from
// strangers came into the session of the call in ctx.
func MarkIfTainted(ctx context.Context, raw []byte) []byte {
	if !bundles.HasUntrusted(ctx) {
		return raw
	}
	return Mark(raw)
}

// Mark returns the mail with the mark, once.
func Mark(raw []byte) []byte {
	return slices.Concat([]byte(wordsHeader+": "+mixedWords+"\r\n"), unmark(raw))
}

// unmark returns the mail without the mark, which its recipients need not see.
func unmark(raw []byte) []byte {
	header, body, found := bytes.Cut(raw, []byte("\r\n\r\n"))
	lines := slices.DeleteFunc(bytes.Split(header, []byte("\r\n")), func(line []byte) bool {
		name, _, _ := bytes.Cut(line, []byte(":"))
		return bytes.EqualFold(bytes.TrimSpace(name), []byte(wordsHeader))
	})
	header = bytes.Join(lines, []byte("\r\n"))
	if !found {
		return header
	}
	return slices.Concat(header, []byte("\r\n\r\n"), body)
}

// IsMarked reports whether a draft has the mark. A draft whose header cannot be
// read may have it.
func IsMarked(raw []byte) bool {
	header := headerOf(raw)
	return len(header) == 0 || header.Get(wordsHeader) != ""
}
