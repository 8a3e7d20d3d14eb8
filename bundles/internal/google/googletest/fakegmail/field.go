package fakegmail

import (
	"io"
	"mime"
	"net/mail"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// field is one unfolded header field. value is decoded as Gmail shows it, and
// raw is as written.
type field struct{ name, value, raw string }

var wordDecoder = &mime.WordDecoder{CharsetReader: func(charset string, r io.Reader) (io.Reader, error) {
	encoding, err := htmlindex.Get(charset)
	if err != nil {
		return nil, err
	}
	return encoding.NewDecoder().Reader(r), nil
}}

// addressParser parses address fields, in every charset.
var addressParser = &mail.AddressParser{WordDecoder: wordDecoder}

func parseHead(head []byte) []field {
	var fields []field
	for line := range strings.SplitSeq(string(head), "\n") {
		line = strings.TrimRight(line, "\r")
		if line != "" && (line[0] == ' ' || line[0] == '\t') && len(fields) > 0 {
			fields[len(fields)-1].value += " " + strings.TrimSpace(line)
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found || strings.ContainsAny(name, " \t") {
			continue
		}
		fields = append(fields, field{name: name, value: strings.TrimSpace(value)})
	}
	for i, f := range fields {
		fields[i].raw, fields[i].value = f.value, f.decoded()
	}
	return fields
}

// decoded returns the value with encoded words decoded.
func (f field) decoded() string {
	value := f.value
	if decoded, err := wordDecoder.DecodeHeader(value); err == nil {
		value = decoded
	}
	if f.isOfAddresses() && strings.Contains(f.value, "=?") {
		if list, err := addressParser.ParseList(f.value); err == nil {
			value = formatAddresses(list)
		}
	}
	return string(toUTF8([]byte(value), ""))
}

func (f field) isOfAddresses() bool {
	return slices.ContainsFunc([]string{"From", "Sender", "Reply-To", "To", "Cc", "Bcc"}, func(name string) bool { return strings.EqualFold(name, f.name) })
}

// formatAddresses returns a list of addresses without encoded words. It quotes
// names if needed.
func formatAddresses(list []*mail.Address) string {
	formatted := make([]string, len(list))
	for i, a := range list {
		name := a.Name
		if name == "" {
			formatted[i] = a.Address
			continue
		}
		if strings.ContainsAny(name, `,;:<>()[]@\"`) {
			name = strconv.Quote(name)
		}
		formatted[i] = name + " <" + a.Address + ">"
	}
	return strings.Join(formatted, ", ")
}

// get returns the value of the first field with that name, or "".
func (e *entity) get(name string) string {
	for _, f := range e.fields {
		if strings.EqualFold(f.name, name) {
			return f.value
		}
	}
	return ""
}
