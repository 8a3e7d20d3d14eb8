// Package arguments checks what a schema cannot express about an action's
// arguments, and explains what is wrong. It cleans nothing: an invalid argument
// is refused.
package arguments

import (
	"encoding/base64"
	"encoding/json"
	"net/mail"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

// Problems collects everything that is wrong with the arguments of a call, so
// that one error names it all. The zero value is empty.
type Problems []metadata.Problem

// Add records a problem: the argument at path has the value got, but must be what
// expected describes. Pass got unchanged: Add shortens and quotes it.
func (p *Problems) Add(path, expected, got string) {
	*p = append(*p, metadata.Problem{Path: path, Expected: expected, Got: strconv.QuoteToASCII(Brief(got))})
}

// Err returns nil, or a VALIDATION_ERROR that lists the problems. The error's hint
// says that nothing was done, so call Err before anything is done.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p.invalid()
}

func (p Problems) invalid() *metadata.Error {
	return metadata.Invalid(p).WithHint("Nothing was done. Fix these arguments and repeat the call.")
}

// Invalid returns a VALIDATION_ERROR about one argument. Unlike Add, it neither
// shortens nor quotes got, so got can be a description such as "none". If got is
// a text from the arguments, quote it before you call Invalid.
func Invalid(path, expected, got string) *metadata.Error {
	return Problems{{Path: path, Expected: expected, Got: got}}.invalid()
}

// Brief shortens a caller's text for an error to 80 characters and an ellipsis. It
// replaces invalid UTF-8.
func Brief(text string) string {
	const maxRunes = 80
	runes := []rune(strings.ToValidUTF8(text, "\uFFFD"))
	if len(runes) <= maxRunes {
		return string(runes)
	}
	return string(runes[:maxRunes]) + "…"
}

// Line checks a text that becomes a header or a title: one line without control
// characters, with at most limit characters. The text may be empty.
func (p *Problems) Line(path, text string, limit int) {
	switch {
	case utf8.RuneCountInString(text) > limit:
		p.Add(path, "at most "+strconv.Itoa(limit)+" characters", strconv.Itoa(utf8.RuneCountInString(text))+" characters")
	case !mailmsg.IsLine(text):
		p.Add(path, "one line of text without control characters", text)
	}
}

// Text checks a text of several lines: it must have no control characters
// except tabs and line ends. The quote in the problem begins with the first
// forbidden character.
func (p *Problems) Text(path, text string) {
	if at := strings.IndexFunc(text, isControl); at >= 0 {
		p.Add(path, "text without control characters other than tabs and line ends", text[at:])
	}
}

// IsText reports whether Text finds nothing wrong with a text.
func IsText(text string) bool { return !strings.ContainsFunc(text, isControl) }

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }

// Addresses parses a list in which each element is one mail address, with or
// without a name. Invalid elements are problems at path[i] and are left out.
func (p *Problems) Addresses(path string, list []string) []*mail.Address {
	read := make([]*mail.Address, 0, len(list))
	for i, text := range list {
		if a := p.parse(path+"["+strconv.Itoa(i)+"]", text); a != nil {
			read = append(read, a)
		}
	}
	return read
}

// Address parses one mail address. It returns nil for "". For an invalid text it
// adds a problem and returns nil.
func (p *Problems) Address(path, text string) *mail.Address {
	if text == "" {
		return nil
	}
	return p.parse(path, text)
}

func (p *Problems) parse(path, text string) *mail.Address {
	a, err := mailmsg.ParseAddress(text)
	if err != nil {
		p.Add(path, err.Error(), text)
		return nil
	}
	return a
}

// EncodeCursor returns a cursor as text of letters, digits, "-" and "_". The
// cursor must consist of strings, numbers and types made of them, so that it
// always has a form in JSON.
func EncodeCursor(cursor any) string {
	raw, _ := json.Marshal(cursor)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// DecodeCursor decodes the text of EncodeCursor into cursor, which must be a
// pointer. It reports false if the text is not a cursor. The tool must check
// whether a cursor makes sense, because anybody can invent one.
func DecodeCursor(text string, cursor any) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && json.Unmarshal(raw, cursor) == nil
}

// BadCursor returns the VALIDATION_ERROR for a cursor that the tool has not
// issued.
func BadCursor(tool, cursor string) *metadata.Error {
	return Invalid("cursor", "the cursor of an answer from "+tool, strconv.Quote(Brief(cursor))).
		WithHint("Pass the cursor of the previous answer unchanged, or omit it to start again.")
}
