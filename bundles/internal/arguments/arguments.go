// Package arguments checks what a schema cannot say of an action's arguments,
// and words what is wrong with them. Nothing is cleaned: what cannot be meant
// as it is given is refused.
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

// Problems gathers everything wrong with the arguments of a call, so that its
// caller hears of it at once. The zero value has none.
type Problems []metadata.Problem

// Add notes that the argument at path must be what is expected, and what was
// given, as it is: it is shortened and quoted here.
func (p *Problems) Add(path, expected, got string) {
	*p = append(*p, metadata.Problem{Path: path, Expected: expected, Got: strconv.QuoteToASCII(Brief(got))})
}

// Err returns nil, or a VALIDATION_ERROR that lists the problems. Its hint says
// that nothing was done: it is asked for before anything is.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p.invalid()
}

func (p Problems) invalid() *metadata.Error {
	return metadata.Invalid(p).WithHint("Nothing was done. Mend what is named and repeat the call.")
}

// Invalid is a VALIDATION_ERROR about one argument. Unlike Add it shows what it
// got as it is worded: "both", or a caller's words already quoted.
func Invalid(path, expected, got string) *metadata.Error {
	return Problems{{Path: path, Expected: expected, Got: got}}.invalid()
}

// Brief bounds what an error quotes of its caller's words: 80 characters and an
// ellipsis, in valid UTF-8.
func Brief(text string) string {
	const most = 80
	runes := []rune(strings.ToValidUTF8(text, "\uFFFD"))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}

// Line checks a text that becomes a header or a title: one line without control
// characters, of at most so many characters. It may be empty.
func (p *Problems) Line(path, text string, most int) {
	switch {
	case utf8.RuneCountInString(text) > most:
		p.Add(path, "at most "+strconv.Itoa(most)+" characters", strconv.Itoa(utf8.RuneCountInString(text))+" characters")
	case !mailmsg.IsLine(text):
		p.Add(path, "one line of text without control characters", text)
	}
}

// Text checks a text of several lines: it has no control characters but tabs
// and line ends. What is quoted of it begins with the first one.
func (p *Problems) Text(path, text string) {
	if at := strings.IndexFunc(text, isControl); at >= 0 {
		p.Add(path, "text without control characters but tabs and line ends", text[at:])
	}
}

// IsText reports whether Text finds nothing wrong with a text.
func IsText(text string) bool { return !strings.ContainsFunc(text, isControl) }

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }

// Addresses reads a list in which each element is one mail address, with a name
// or without. Those that are none are problems at path[i], and left out.
func (p *Problems) Addresses(path string, list []string) []*mail.Address {
	read := make([]*mail.Address, 0, len(list))
	for i, text := range list {
		if a := p.parse(path+"["+strconv.Itoa(i)+"]", text); a != nil {
			read = append(read, a)
		}
	}
	return read
}

// Address reads one mail address. It returns nil for "", and for a text that is
// none, which is a problem.
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

// EncodeCursor is the form in which a cursor is handed out: letters, digits,
// "-" and "_". The cursor is of strings, numbers and what is made of them, so
// that it always has a form in JSON.
func EncodeCursor(cursor any) string {
	raw, _ := json.Marshal(cursor)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// DecodeCursor reads what EncodeCursor wrote into the cursor that is pointed
// to. It reports false when the text is none; whether a cursor makes sense its
// tool has to see for itself, since anybody can make one up.
func DecodeCursor(text string, cursor any) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && json.Unmarshal(raw, cursor) == nil
}

// BadCursor is the VALIDATION_ERROR of a cursor that the tool has not given.
func BadCursor(tool, cursor string) *metadata.Error {
	return Invalid("cursor", "the cursor of an answer of "+tool, strconv.Quote(Brief(cursor))).
		WithHint("Give the cursor as the answer before had it, or leave it out to begin anew.")
}
