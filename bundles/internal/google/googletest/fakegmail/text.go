package fakegmail

import (
	"bytes"
	"encoding/base64"
	"html"
	"io"
	"mime/quotedprintable"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// decodeTransfer decodes the Content-Transfer-Encoding as far as possible.
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
		n, _ := base64.RawStdEncoding.Decode(decoded, clean) // the valid part before an error is kept
		return decoded[:n]
	case "quoted-printable":
		decoded, _ := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(body))) // as above
		return decoded
	}
	return body
}

// toUTF8 converts text from that charset. Text without a charset, or with an
// unknown one, stays if it is UTF-8. Otherwise it is read as Windows-1252, as
// browsers do.
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

var (
	hiddenElements = regexp.MustCompile(`(?is)<(style|script|head|title)\b.*?</(style|script|head|title)>|<!--.*?-->`)
	tags           = regexp.MustCompile(`(?s)<[^>]*>`)
)

// maxIndexed is how much of a message's text is searched, and maxPreviewed how
// much is read for the snippet, in bytes.
const (
	maxIndexed   = 1 << 20
	maxPreviewed = 16 << 10
)

// text returns the message's text, from at most limit bytes of a part. The part
// is the first text/plain. If that is absent or blank, the part is the first
// text/html, whose tags text removes.
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
		return truncate(plain.data, limit)
	}
	if rich == nil {
		return ""
	}
	return html.UnescapeString(tags.ReplaceAllString(hiddenElements.ReplaceAllString(truncate(rich.data, limit), " "), " "))
}

// truncate returns the beginning of a text without cutting a character.
func truncate(text []byte, limit int) string {
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
	text := strings.Join(strings.Fields(e.text(maxPreviewed)), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = strings.TrimSpace(string(runes[:200]))
	}
	return html.EscapeString(text)
}
