// Package mailmsg builds outgoing mail as bytes (RFC 5322, 2045-2047, 2231),
// reads it back, and knows the conventions for replies and forwards.
//
// Writing corrects no header: a value that cannot be written exactly as given,
// such as one with a line end, is an error. The bytes depend only on the
// Message and on the random source, so that a test can predict them.
package mailmsg

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"time"
)

// Message is a mail to be written. Empty fields are left out.
type Message struct {
	From       *mail.Address
	To, Cc     []*mail.Address
	Bcc        []*mail.Address // is written: Gmail reads it there, and removes it before delivery
	ReplyTo    []*mail.Address
	Subject    string
	Date       time.Time
	InReplyTo  string   // a message id with its angle brackets
	References []string // message ids, oldest first
	Headers    []Field  // additional ones, in order, such as List-Unsubscribe

	Text        string // plain text; line ends may be LF, CRLF or CR
	HTML        string // the same text as HTML; if both are set, the plain text comes first (RFC 2046)
	Inline      []File // files to which the HTML refers by cid:
	Attachments []File
}

// Field is a header field. A value that is not ASCII is encoded.
type Field struct{ Name, Value string }

// File is a part of a message with its own content.
type File struct {
	Name      string // at most 255 bytes; "" leaves it out
	Type      string // its media type; "" means application/octet-stream
	ContentID string // without angle brackets; the HTML refers to it by cid:
	Content   []byte
}

// ErrInvalid is wrapped by every error about a message that cannot be read, or
// cannot be written as given.
var ErrInvalid = errors.New("invalid message")

// Bytes returns the message with CRLF line ends. Its form is
// mixed(related(alternative(text, html), inline...), attachments...), without
// layers that would have only one part. Text is quoted-printable, files are
// base64 in lines of 76, headers are ASCII.
//
// Each boundary takes 128 bits from random, in order of appearance; nil means
// the system's random source. If a value cannot be written, the error wraps
// ErrInvalid and names the field.
func (m *Message) Bytes(random io.Reader) ([]byte, error) {
	if random == nil {
		random = rand.Reader
	}
	var w writer
	w.envelope(m)
	body, err := m.body()
	if err != nil {
		return nil, err
	}
	w.field("MIME-Version", "1.0")
	if err := w.part(body, random); err != nil {
		return nil, err
	}
	if w.err != nil {
		return nil, w.err
	}
	return w.buf.Bytes(), nil
}

// writer collects the bytes and keeps the first error.
type writer struct {
	buf bytes.Buffer
	err error
}

func (w *writer) envelope(m *Message) {
	if m.From != nil {
		w.addresses("From", []*mail.Address{m.From})
	}
	w.addresses("To", m.To)
	w.addresses("Cc", m.Cc)
	w.addresses("Bcc", m.Bcc)
	w.addresses("Reply-To", m.ReplyTo)
	w.text("Subject", m.Subject)
	if !m.Date.IsZero() {
		w.field("Date", m.Date.Format("Mon, 2 Jan 2006 15:04:05 -0700"))
	}
	if m.InReplyTo != "" {
		w.ids("In-Reply-To", []string{m.InReplyTo})
	}
	w.ids("References", m.References)
	for _, f := range m.Headers {
		if !isFieldName(f.Name) || isOwnField(f.Name) {
			w.fail(f.Name, "a header of its own")
			continue
		}
		w.text(f.Name, f.Value)
	}
}

// fail records the first error: that the field is not what was expected.
func (w *writer) fail(field, expected string) {
	if w.err == nil {
		w.err = fmt.Errorf("%w: %q must be %s", ErrInvalid, field, expected)
	}
}

// boundary returns a delimiter that no part can contain: "=_" occurs neither in
// quoted-printable nor in base64, and the rest is random.
func boundary(random io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("read randomness for a boundary: %w", err)
	}
	return "=_" + hex.EncodeToString(b[:]), nil
}
