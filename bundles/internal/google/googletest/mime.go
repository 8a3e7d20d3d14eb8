package googletest

import (
	"bytes"
	"encoding/base64"
	"html"
	"io"
	"mime"
	"mime/quotedprintable"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// An entity is a message or a part of one, as Gmail splits it.
type entity struct {
	id       string // partId: "" for the message, "0", "1.2" for its parts
	fields   []field
	kind     string // media type, in lower case
	filename string
	data     []byte // decoded content of a leaf; text in UTF-8, as Gmail gives it
	parts    []*entity
}

// A field is one header field, unfolded, its encoded words decoded.
type field struct{ name, value string }

// maxDepth is how deep parts are taken apart; below, they are one leaf.
const maxDepth = 100

// parse splits a raw message. It never fails: what it cannot understand is
// text.
func parse(raw []byte) *entity { return parseEntity(raw, "", 0) }

func parseEntity(raw []byte, id string, depth int) *entity {
	head, body := splitHead(raw)
	e := &entity{id: id, fields: parseFieldsOf(head)}
	kind, params, err := mime.ParseMediaType(e.get("Content-Type"))
	if err != nil || !strings.Contains(kind, "/") {
		kind, params = "text/plain", nil
	}
	e.kind = kind
	e.filename = filenameOf(e.get("Content-Disposition"), params)
	switch {
	case depth >= maxDepth:
	case strings.HasPrefix(kind, "multipart/") && params["boundary"] != "":
		for i, part := range splitParts(body, params["boundary"]) {
			e.parts = append(e.parts, parseEntity(part, childID(id, i), depth+1))
		}
		return e
	case kind == "message/rfc822":
		e.data = decodeTransfer(body, e.get("Content-Transfer-Encoding"))
		e.parts = []*entity{parseEntity(e.data, childID(id, 0), depth+1)}
		if e.filename == "" {
			e.filename = "noname.eml"
		}
		return e
	}
	e.data = decodeTransfer(body, e.get("Content-Transfer-Encoding"))
	if strings.HasPrefix(kind, "text/") {
		e.data = toUTF8(e.data, params["charset"])
	}
	return e
}

func childID(id string, i int) string {
	if id == "" {
		return strconv.Itoa(i)
	}
	return id + "." + strconv.Itoa(i)
}

// splitHead splits at the first empty line.
func splitHead(raw []byte) (head, body []byte) {
	for at := 0; at < len(raw); {
		end := bytes.IndexByte(raw[at:], '\n')
		if end < 0 {
			return raw, nil
		}
		if len(bytes.TrimRight(raw[at:at+end], "\r")) == 0 {
			return raw[:at], raw[at+end+1:]
		}
		at += end + 1
	}
	return raw, nil
}

var words = &mime.WordDecoder{CharsetReader: func(charset string, r io.Reader) (io.Reader, error) {
	encoding, err := htmlindex.Get(charset)
	if err != nil {
		return nil, err
	}
	return encoding.NewDecoder().Reader(r), nil
}}

func parseFieldsOf(head []byte) []field {
	var all []field
	for line := range strings.SplitSeq(string(head), "\n") {
		line = strings.TrimRight(line, "\r")
		if line != "" && (line[0] == ' ' || line[0] == '\t') && len(all) > 0 {
			all[len(all)-1].value += " " + strings.TrimSpace(line)
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found || strings.ContainsAny(name, " \t") {
			continue
		}
		all = append(all, field{name, strings.TrimSpace(value)})
	}
	for i, f := range all {
		if decoded, err := words.DecodeHeader(f.value); err == nil {
			all[i].value = decoded
		}
		if !utf8.ValidString(all[i].value) {
			all[i].value = string(toUTF8([]byte(all[i].value), ""))
		}
	}
	return all
}

// get returns the value of the first such field.
func (e *entity) get(name string) string {
	for _, f := range e.fields {
		if strings.EqualFold(f.name, name) {
			return f.value
		}
	}
	return ""
}

func filenameOf(disposition string, typeParams map[string]string) string {
	_, params, err := mime.ParseMediaType(disposition)
	name := params["filename"]
	if err != nil || name == "" {
		name = typeParams["name"]
	}
	if decoded, err := words.DecodeHeader(name); err == nil {
		name = decoded
	}
	return name
}

// splitParts returns what stands between the boundary's lines.
func splitParts(body []byte, boundary string) [][]byte {
	var parts [][]byte
	open := -1
	for at := 0; at < len(body); {
		next := len(body)
		if end := bytes.IndexByte(body[at:], '\n'); end >= 0 {
			next = at + end + 1
		}
		line := bytes.TrimRight(body[at:next], "\r\n \t")
		rest, isDelimiter := bytes.CutPrefix(line, []byte("--"+boundary))
		if isDelimiter && (len(rest) == 0 || string(rest) == "--") {
			if open >= 0 {
				parts = append(parts, trimBreak(body[open:at]))
			}
			open = next
			if len(rest) > 0 {
				return parts
			}
		}
		at = next
	}
	if open >= 0 {
		parts = append(parts, body[open:])
	}
	return parts
}

// trimBreak cuts the line break that belongs to the boundary.
func trimBreak(part []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r"))
}

func decodeTransfer(body []byte, encoding string) []byte {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		clean := bytes.Map(func(r rune) rune {
			if r == '+' || r == '/' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				return r
			}
			return -1
		}, body)
		decoded := make([]byte, base64.RawStdEncoding.DecodedLen(len(clean)))
		n, _ := base64.RawStdEncoding.Decode(decoded, clean) // what is good until the fault is kept
		return decoded[:n]
	case "quoted-printable":
		decoded, _ := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(body))) // as above
		return decoded
	}
	return body
}

// toUTF8 converts text of that charset. Text of none, or of an unknown one, is
// kept when it is UTF-8, else read as Windows-1252, as browsers do.
func toUTF8(data []byte, charset string) []byte {
	encoding, err := htmlindex.Get(charset)
	if err != nil {
		if utf8.Valid(data) {
			return data
		}
		encoding, _ = htmlindex.Get("windows-1252")
	}
	decoded, err := encoding.NewDecoder().Bytes(data)
	if err != nil {
		return bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	return decoded
}

// all yields the entity and every part below it.
func (e *entity) all(yield func(*entity) bool) bool {
	if !yield(e) {
		return false
	}
	for _, part := range e.parts {
		if !part.all(yield) {
			return false
		}
	}
	return true
}

// isAttachment reports whether Gmail gives the content under an attachmentId
// alone: it is named, or neither text nor a container.
func (e *entity) isAttachment() bool {
	if e.kind == "message/rfc822" || len(e.parts) == 0 && e.filename != "" {
		return true
	}
	return len(e.parts) == 0 && !strings.HasPrefix(e.kind, "text/") && len(e.data) > 0 && !strings.HasPrefix(e.kind, "multipart/")
}

var (
	hidden = regexp.MustCompile(`(?is)<(style|script|head|title)\b.*?</(style|script|head|title)>|<!--.*?-->`)
	tags   = regexp.MustCompile(`(?s)<[^>]*>`)
)

// indexed is how much of a message's text is searched, and previewed how much
// of it is looked at for the snippet, in bytes.
const (
	indexed   = 1 << 20
	previewed = 16 << 10
)

// text returns the first bytes of what is written in the message: of its first
// text/plain, else of its first text/html without the tags.
func (e *entity) text(limit int) string {
	var plain, rich *entity
	e.all(func(part *entity) bool {
		switch {
		case part.kind == "message/rfc822":
			return false
		case part.kind == "text/plain" && part.filename == "" && plain == nil:
			plain = part
		case part.kind == "text/html" && part.filename == "" && rich == nil:
			rich = part
		}
		return true
	})
	if plain != nil && len(bytes.TrimSpace(plain.data[:min(limit, len(plain.data))])) > 0 {
		return start(plain.data, limit)
	}
	if rich == nil {
		return ""
	}
	return html.UnescapeString(tags.ReplaceAllString(hidden.ReplaceAllString(start(rich.data, limit), " "), " "))
}

// start is the beginning of a text, which does not end in half a letter.
func start(text []byte, limit int) string {
	if len(text) <= limit {
		return string(text)
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return string(text[:limit])
}

// snippet returns the beginning of the text, escaped for HTML, as Gmail does.
func (e *entity) snippet() string {
	text := strings.Join(strings.Fields(e.text(previewed)), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = strings.TrimSpace(string(runes[:200]))
	}
	return html.EscapeString(text)
}
