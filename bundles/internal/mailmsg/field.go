package mailmsg

import (
	"encoding/base64"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	foldAt   = 76       // characters, RFC 2047 section 2; a longer word is on its own line
	maxLine  = 998      // characters without CRLF, RFC 5322 section 2.1.1
	maxValue = 64 << 10 // bytes
)

// IsLine reports whether text can be the value of a header. It must be valid
// UTF-8 without control characters, such as CR, LF, NUL, TAB and U+0085. It
// must not contain the line and paragraph separators U+2028 and U+2029, at
// which some readers break lines. It must not contain characters that change
// the text direction, U+202A to U+202E and U+2066 to U+2069: readers would see
// other words (UTR 36).
func IsLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, breaksLine) && !strings.ContainsFunc(text, changesDirection)
}

func breaksLine(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

func changesDirection(r rune) bool {
	return r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

// ownFields are the fields that Message and its parts write.
var ownFields = []string{
	"From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Date", "In-Reply-To", "References",
	"Mime-Version", "Content-Type", "Content-Transfer-Encoding", "Content-Disposition", "Content-Id",
}

func isOwnField(name string) bool {
	return slices.Contains(ownFields, textproto.CanonicalMIMEHeaderKey(name))
}

// isFieldName reports whether name is 1 to 76 visible ASCII characters without
// a colon.
func isFieldName(name string) bool {
	return name != "" && len(name) <= foldAt && !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' })
}

// text writes a field of unstructured text, encoded if needed.
func (w *writer) text(name, value string) {
	switch {
	case value == "":
		return
	case !IsLine(value) || len(value) > maxValue:
		w.fail(name, "one line of text without control characters")
	case needsEncoding(value):
		w.field(name, strings.Join(encodedWords(value), " "))
	default:
		w.field(name, value)
	}
}

// addresses writes a list of addresses.
func (w *writer) addresses(name string, list []*mail.Address) {
	formatted := make([]string, 0, len(list))
	for _, a := range list {
		if a == nil || !IsLine(a.Name) || len(a.Name) > maxValue || !isAddress(a.Address) {
			w.fail(name, "addresses as ParseAddress returns them")
			return
		}
		formatted = append(formatted, Format(a))
	}
	if len(formatted) > 0 {
		w.field(name, strings.Join(formatted, ", "))
	}
}

// ids writes message ids.
func (w *writer) ids(name string, ids []string) {
	for _, id := range ids {
		if !isMessageID(id) {
			w.fail(name, "message ids such as <a@b>")
			return
		}
	}
	if len(ids) > 0 {
		w.field(name, strings.Join(ids, " "))
	}
}

// field writes an ASCII line with single spaces. It folds the line before a
// word that would exceed foldAt. Folding keeps the space.
func (w *writer) field(name, value string) {
	if w.err != nil {
		return
	}
	w.buf.WriteString(name + ":")
	column := len(name) + 1
	for i, word := range strings.Split(value, " ") {
		if i > 0 && column+1+len(word) > foldAt {
			w.buf.WriteString("\r\n")
			column = 0
		}
		if column+1+len(word) > maxLine {
			w.fail(name, "words of less than 998 characters")
			return
		}
		w.buf.WriteString(" " + word)
		column += 1 + len(word)
	}
	w.buf.WriteString("\r\n")
}

// needsEncoding reports whether a text could be changed on its way. Such a text
// is not ASCII, looks encoded, has spaces that folding could lose, or has a word
// that is too long for a line.
func needsEncoding(text string) bool {
	if strings.Contains(text, "=?") || text != strings.Join(strings.Fields(text), " ") {
		return true
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
		return true
	}
	return slices.ContainsFunc(strings.Split(text, " "), func(word string) bool { return len(word) > foldAt })
}

// maxWord is the maximum length of an encoded word. RFC 2047 permits 75
// characters; the rest is left for a field name on the same line.
const maxWord = 64

// encodedWords returns text as encoded words of RFC 2047, in the shorter of its
// two encodings. It splits no character.
func encodedWords(text string) []string {
	const room = maxWord - len("=?utf-8?q??=")
	quoted := split(text, func(s string) int { return len(quote(s)) }, room)
	based := split(text, func(s string) int { return base64.StdEncoding.EncodedLen(len(s)) }, room)
	if len(quoted) <= len(based) {
		for i, piece := range quoted {
			quoted[i] = "=?utf-8?q?" + quote(piece) + "?="
		}
		return quoted
	}
	for i, piece := range based {
		based[i] = "=?utf-8?b?" + base64.StdEncoding.EncodeToString([]byte(piece)) + "?="
	}
	return based
}

// split cuts text between characters into pieces for which size returns at most
// limit.
func split(text string, size func(string) int, limit int) []string {
	var pieces []string
	start := 0
	for i, r := range text {
		if end := i + utf8.RuneLen(r); size(text[start:end]) > limit {
			pieces = append(pieces, text[start:i])
			start = i
		}
	}
	return append(pieces, text[start:])
}

// quote returns the Q encoding in the strict form that RFC 2047 section 5 (3)
// requires in names. It is valid everywhere else too.
func quote(text string) string {
	const hexadecimal = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case c == ' ':
			b.WriteByte('_')
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("!*+-/", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'=', hexadecimal[c>>4], hexadecimal[c&15]})
		}
	}
	return b.String()
}
