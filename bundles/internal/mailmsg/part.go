package mailmsg

import (
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/quotedprintable"
	"slices"
	"strings"
)

const (
	maxFileName = 255 // bytes, the limit of file systems
	maxDeclared = 300 // bytes of a media type with its parameters
)

// part is a node of the body with either parts or content.
type part struct {
	kind        string  // media type without parameters
	params      []param // the parameters of the Content-Type
	disposition string
	name        string // the file name in the Content-Disposition
	contentID   string
	parts       []part
	content     []byte
	text        bool // quoted-printable, otherwise base64
}

type param struct{ name, value string }

// body arranges the parts, and adds layers only if needed.
func (m *Message) body() (part, error) {
	var bodies []part
	if m.Text != "" || m.HTML == "" {
		bodies = append(bodies, textPart("text/plain", m.Text))
	}
	if m.HTML != "" {
		bodies = append(bodies, textPart("text/html", m.HTML))
	}
	inline, err := fileParts(m.Inline, "inline")
	if err != nil {
		return part{}, err
	}
	attachments, err := fileParts(m.Attachments, "attachment")
	if err != nil {
		return part{}, err
	}
	related := append([]part{layer("multipart/alternative", bodies)}, inline...)
	mixed := append([]part{layer("multipart/related", related)}, attachments...)
	return layer("multipart/mixed", mixed), nil
}

// layer combines the parts into one.
func layer(kind string, parts []part) part {
	if len(parts) == 1 {
		return parts[0]
	}
	p := part{kind: kind, parts: parts}
	if kind == "multipart/related" { // RFC 2387 requires the type of the root
		p.params = []param{{"type", parts[0].kind}}
	}
	return p
}

func textPart(kind, text string) part {
	return part{kind: kind, params: []param{{"charset", "utf-8"}}, content: []byte(text), text: true}
}

func fileParts(files []File, disposition string) ([]part, error) {
	parts := make([]part, 0, len(files))
	for _, f := range files {
		kind, params, err := mediaType(f.Type)
		if err != nil {
			return nil, err
		}
		if !IsLine(f.Name) || len(f.Name) > maxFileName {
			return nil, fmt.Errorf("%w: a file name must be one line of at most %d bytes", ErrInvalid, maxFileName)
		}
		if f.ContentID != "" && !isMessageID("<"+f.ContentID+">") {
			return nil, fmt.Errorf("%w: a content id must be like a message id", ErrInvalid)
		}
		p := part{kind: kind, params: params, disposition: disposition, name: f.Name, contentID: f.ContentID, content: f.Content}
		if f.Name != "" { // some readers look only here
			p.params = append(p.params, param{"name", f.Name})
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// mediaType returns the type to declare, with its parameters except those that
// this package sets. A message or multipart may not be in base64 (RFC 2046), so
// a file of such a type is declared as application/octet-stream.
func mediaType(declared string) (string, []param, error) {
	const bytes = "application/octet-stream"
	if declared == "" {
		return bytes, nil, nil
	}
	kind, values, err := mime.ParseMediaType(declared)
	top, sub, ok := strings.Cut(kind, "/")
	if err != nil || !ok || !isToken(top) || !isToken(sub) || len(declared) > maxDeclared {
		return "", nil, fmt.Errorf("%w: %q is not a media type", ErrInvalid, declared)
	}
	if top == "message" || top == "multipart" {
		return bytes, nil, nil
	}
	var params []param
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name == "name" || name == "boundary" {
			continue
		}
		if !isToken(name) || !IsLine(values[name]) {
			return "", nil, fmt.Errorf("%w: %q is not a media type", ErrInvalid, declared)
		}
		params = append(params, param{name, values[name]})
	}
	return kind, params, nil
}

// part writes the header fields of a part, the empty line and its content.
func (w *writer) part(p part, random io.Reader) error {
	if len(p.parts) == 0 {
		w.leaf(p)
		return nil
	}
	delimiter, err := boundary(random)
	if err != nil {
		return err
	}
	w.parameters("Content-Type", p.kind, append(p.params, param{"boundary", delimiter}))
	w.buf.WriteString("\r\n")
	for _, child := range p.parts {
		w.buf.WriteString("--" + delimiter + "\r\n")
		if err := w.part(child, random); err != nil {
			return err
		}
		w.buf.WriteString("\r\n")
	}
	w.buf.WriteString("--" + delimiter + "--\r\n")
	return nil
}

func (w *writer) leaf(p part) {
	w.parameters("Content-Type", p.kind, p.params)
	if p.disposition != "" {
		var params []param
		if p.name != "" {
			params = []param{{"filename", p.name}}
		}
		w.parameters("Content-Disposition", p.disposition, params)
	}
	if p.contentID != "" {
		w.field("Content-ID", "<"+p.contentID+">")
	}
	if p.text {
		w.field("Content-Transfer-Encoding", "quoted-printable")
		w.buf.WriteString("\r\n")
		encoder := quotedprintable.NewWriter(&w.buf)
		encoder.Write(p.content) // neither fails: a buffer accepts everything
		encoder.Close()
		return
	}
	w.field("Content-Transfer-Encoding", "base64")
	w.buf.WriteString("\r\n")
	w.base64(p.content)
}

// base64 writes content in lines of 76 characters. The last line has no line end.
func (w *writer) base64(content []byte) {
	const bytesPerLine = 76 / 4 * 3
	w.buf.Grow(base64.StdEncoding.EncodedLen(len(content)) * 78 / 76)
	line := make([]byte, 76)
	for len(content) > 0 {
		n := min(len(content), bytesPerLine)
		base64.StdEncoding.Encode(line, content[:n])
		w.buf.Write(line[:base64.StdEncoding.EncodedLen(n)])
		if content = content[n:]; len(content) > 0 {
			w.buf.WriteString("\r\n")
		}
	}
}

// parameters writes a field with parameters. It folds only between them.
func (w *writer) parameters(name, value string, params []param) {
	line := name + ": " + value
	for _, p := range params {
		next := formatParam(p)
		if len(line)+len("; ;")+len(next) > foldAt {
			w.buf.WriteString(line + ";\r\n")
			line = " " + next
			continue
		}
		line += "; " + next
	}
	w.buf.WriteString(line + "\r\n")
}

// formatParam returns a parameter as a token or a quoted string. It uses the
// extended form of RFC 2231 for values that readers could misread: text beyond
// ASCII, escapes, and text that looks like RFC 2047.
func formatParam(p param) string {
	switch {
	case isToken(p.value):
		return p.name + "=" + p.value
	case strings.ContainsFunc(p.value, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }), strings.Contains(p.value, "=?"):
		return p.name + "*=utf-8''" + percent(p.value)
	}
	return p.name + `="` + p.value + `"`
}

// isToken reports whether text is a token of RFC 2045.
func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`()<>@,;:\"/[]?=`, r)
	})
}

// percent encodes everything except letters, digits and a few marks.
func percent(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}
