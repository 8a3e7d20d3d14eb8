package mailmsg

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/mail"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/charset"
	"golang.org/x/text/encoding/charmap"
)

const (
	maxDepth = 50   // of nested parts
	maxParts = 1000 // of one message
)

// Parse reads a message, such as a draft, so that it can be changed and written
// again. It returns texts in UTF-8 with LF line ends. lost has the pieces of
// address lists that are not addresses, such as half an address.
//
// The body consists of the first text/plain and the first text/html part that
// have text and no file name, and are not attachments. Every other part is a
// file. A file is inline if it has a Content-ID and is not an attachment. A
// message within the message stays one file. Parse fails if a part cannot be
// read, because writing the message again would lose that part. Every error
// wraps ErrInvalid.
func Parse(raw []byte) (m *Message, lost []string, err error) {
	p, err := parse(raw)
	if err != nil {
		return nil, nil, err
	}
	return p.m, p.lost, nil
}

func parse(raw []byte) (*parser, error) {
	entity, err := message.ReadWithOptions(bytes.NewReader(raw), &message.ReadOptions{MaxHeaderBytes: -1})
	if err = ignoreUnknownCharset(err); err != nil {
		return nil, fmt.Errorf("%w: read its header: %w", ErrInvalid, err)
	}
	p := &parser{m: &Message{}}
	p.envelope(entity.Header)
	if err := p.part(entity, 0); err != nil {
		return nil, err
	}
	return p, nil
}

type parser struct {
	m     *Message
	lost  []string
	parts int
}

func (p *parser) envelope(h message.Header) {
	if from := p.addresses(h, "From"); len(from) > 0 {
		p.m.From = from[0]
	}
	p.m.To, p.m.Cc, p.m.Bcc = p.addresses(h, "To"), p.addresses(h, "Cc"), p.addresses(h, "Bcc")
	p.m.ReplyTo = p.addresses(h, "Reply-To")
	p.m.Subject = DecodeHeader(h.Get("Subject"))
	p.m.InReplyTo = MessageID(h.Get("In-Reply-To"))
	p.m.References = messageID().FindAllString(h.Get("References"), -1)
	if date, err := mail.ParseDate(h.Get("Date")); err == nil {
		p.m.Date = date
	}
	for fields := h.Fields(); fields.Next(); {
		name := fields.Key()
		if !isOwnField(name) && !isTraceField(name) && isFieldName(name) {
			p.m.Headers = append(p.m.Headers, Field{Name: name, Value: DecodeHeader(fields.Value())})
		}
	}
}

func (p *parser) addresses(h message.Header, name string) []*mail.Address {
	list, rest := ParseAddressList(strings.Join(h.Values(name), ", "))
	for _, piece := range rest {
		p.lost = append(p.lost, name+": "+piece)
	}
	return list
}

// traceFields are the fields in which servers record how a message was
// delivered. They would be wrong in a new message.
var traceFields = []string{"Received", "X-Received", "Return-Path", "Delivered-To", "Dkim-Signature", "Authentication-Results", "X-Google-Smtp-Source", "Message-Id"}

func isTraceField(name string) bool {
	return slices.Contains(traceFields, name) || strings.HasPrefix(name, "Arc-") || strings.HasPrefix(name, "X-Gm-")
}

// maxHeader is how many bytes of a header are decoded; no real header is
// longer.
const maxHeader = 64 << 10

// DecodeHeader returns the text of the first 64 KiB of a header's value: its
// encoded words decoded from any charset, on one line. An unknown charset is
// read as windows-1252, as mail programs do.
func DecodeHeader(value string) string {
	return OneLine(DecodeWords(value[:min(len(value), maxHeader)]))
}

// DecodeWords is DecodeHeader for the whole value, without joining lines. It
// returns every character that readers of the mail receive.
func DecodeWords(value string) string {
	decoded, err := (&mime.WordDecoder{CharsetReader: anyCharset}).DecodeHeader(value)
	if err != nil {
		return value
	}
	return decoded
}

// anyCharset decodes the charset with that name. It reads an unknown charset as
// windows-1252.
func anyCharset(name string, in io.Reader) (io.Reader, error) {
	if known, err := charset.Reader(name, in); err == nil {
		return known, nil
	}
	return charmap.Windows1252.NewDecoder().Reader(in), nil
}

// part reads one part, or the parts in it.
func (p *parser) part(e *message.Entity, depth int) error {
	if p.parts++; p.parts > maxParts || depth > maxDepth {
		return fmt.Errorf("%w: it has more than %d parts, or parts nested deeper than %d", ErrInvalid, maxParts, maxDepth)
	}
	inner := e.MultipartReader()
	if inner == nil {
		return p.leaf(e)
	}
	for {
		child, err := inner.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err = ignoreUnknownCharset(err); err != nil {
			return fmt.Errorf("%w: read a part: %w", ErrInvalid, err)
		}
		if err := p.part(child, depth+1); err != nil {
			return err
		}
	}
}

// ignoreUnknownCharset drops the error for an unknown charset: the bytes are still
// there.
func ignoreUnknownCharset(err error) error {
	if message.IsUnknownCharset(err) {
		return nil
	}
	return err
}

func (p *parser) leaf(e *message.Entity) error {
	content, err := io.ReadAll(e.Body)
	if err != nil {
		return fmt.Errorf("%w: decode a part: %w", ErrInvalid, err)
	}
	kind, params, _ := e.Header.ContentType()
	disposition, named, _ := e.Header.ContentDisposition()
	name := named["filename"]
	if name == "" {
		name = params["name"]
	}
	isBody := name == "" && disposition != "attachment"
	switch id := strings.Trim(MessageID(e.Header.Get("Content-Id")), "<>"); {
	case isBody && kind == "text/plain" && p.m.Text == "":
		p.m.Text = textOf(content)
	case isBody && kind == "text/html" && p.m.HTML == "":
		p.m.HTML = textOf(content)
	case id != "" && disposition != "attachment":
		p.m.Inline = append(p.m.Inline, File{Name: FileName(name), Type: typeOf(kind, params, content), ContentID: id, Content: content})
	default:
		p.m.Attachments = append(p.m.Attachments, File{Name: FileName(name), Type: typeOf(kind, params, content), ContentID: id, Content: content})
	}
	return nil
}

// textOf returns a text as UTF-8 with LF line ends.
func textOf(content []byte) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(string(content), "\uFFFD"))
}

// MediaType returns the Content-Type of a part of received mail in a form for a
// File: without name and boundary. It returns "" for an invalid Content-Type.
func MediaType(value string, content []byte) string {
	kind, params, err := mime.ParseMediaType(value)
	if err != nil {
		return ""
	}
	return typeOf(kind, params, content)
}

// typeOf returns the media type of a part that was read. Text that is valid
// UTF-8 is declared as UTF-8, because reading it may have converted it.
func typeOf(kind string, params map[string]string, content []byte) string {
	kept := map[string]string{}
	for name, value := range params {
		if name != "name" && name != "boundary" && isToken(name) && IsLine(value) {
			kept[name] = value
		}
	}
	if strings.HasPrefix(kind, "text/") && kept["charset"] != "" && utf8.Valid(content) {
		kept["charset"] = "utf-8"
	}
	declared := mime.FormatMediaType(kind, kept)
	if _, _, err := mediaType(declared); err != nil {
		return ""
	}
	return declared
}

// FileName returns the name of a file of received mail in a form that can be
// written. It is on one line and not longer than file systems permit, and keeps
// its extension and its spaces.
func FileName(name string) string {
	name = onOneLine(name)
	if len(name) <= maxFileName {
		return name
	}
	ending := ""
	if dot := strings.LastIndexByte(name, '.'); dot > 0 && len(name)-dot <= 16 {
		ending = name[dot:]
	}
	return strings.ToValidUTF8(name[:maxFileName-len(ending)], "") + ending
}
