package arguments

import (
	"net/mail"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/bundles/internal/mailmsg"
)

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
