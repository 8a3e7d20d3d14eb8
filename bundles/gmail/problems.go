package gmail

import (
	"net/mail"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/bundles/internal/rfc5322"
	"kota/metadata"
)

const (
	mostRecipients = 100
	mostOfSubject  = 2000 // characters
	mostOfKey      = 200  // characters of an idempotency key
)

// problems gathers everything wrong with the arguments that a schema cannot
// say, so that a caller hears of it at once. Nothing is cleaned: what cannot go
// out as it is given does not go out.
type problems []metadata.Problem

func (p *problems) add(path, expected, got string) {
	*p = append(*p, metadata.Problem{Path: path, Expected: expected, Got: strconv.QuoteToASCII(brief(got))})
}

// invalid is a VALIDATION_ERROR about one argument.
func invalid(path, expected, got string) *metadata.Error {
	return problems{{Path: path, Expected: expected, Got: got}}.invalid()
}

// err returns nil, or a VALIDATION_ERROR that lists the problems.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p.invalid()
}

func (p problems) invalid() *metadata.Error {
	return metadata.Invalid(p).WithHint("Nothing was done. Mend what is named and repeat the call.")
}

// id checks an id that goes into the path of a request.
func (p *problems) id(path, id string) {
	if !idForm().MatchString(id) {
		p.add(path, "an id as an earlier answer gave it", id)
	}
}

// addresses reads a list in which each element is one address.
func (p *problems) addresses(path string, list []string) []*mail.Address {
	read := make([]*mail.Address, 0, len(list))
	for i, text := range list {
		a, err := rfc5322.ParseAddress(text)
		if err != nil {
			p.add(path+"["+strconv.Itoa(i)+"]", err.Error(), text)
			continue
		}
		read = append(read, a)
	}
	return read
}

// address reads one address; nil when none is given.
func (p *problems) address(path, text string) *mail.Address {
	if text == "" {
		return nil
	}
	a, err := rfc5322.ParseAddress(text)
	if err != nil {
		p.add(path, err.Error(), text)
		return nil
	}
	return a
}

// text checks a text of several lines.
func (p *problems) text(path, text string) {
	if at := strings.IndexFunc(text, isControl); at >= 0 {
		p.add(path, plainText, text[at:])
	}
}

const plainText = "text without control characters but tabs and line ends"

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }

// line checks a text that becomes a header.
func (p *problems) line(path, text string, most int) {
	switch {
	case utf8.RuneCountInString(text) > most:
		p.add(path, "at most "+strconv.Itoa(most)+" characters", strconv.Itoa(utf8.RuneCountInString(text))+" characters")
	case !rfc5322.IsLine(text):
		p.add(path, "one line of text without control characters", text)
	}
}
