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

// field is one header field, unfolded: decoded as Gmail shows it, and as
// written.
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
		all = append(all, field{name: name, value: strings.TrimSpace(value)})
	}
	for i, f := range all {
		all[i].raw, all[i].value = f.value, f.decoded()
	}
	return all
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

// formatAddresses returns addresses without encoded words, with names quoted if needed.
func formatAddresses(list []*mail.Address) string {
	all := make([]string, len(list))
	for i, a := range list {
		name := a.Name
		if name == "" {
			all[i] = a.Address
			continue
		}
		if strings.ContainsAny(name, `,;:<>()[]@\"`) {
			name = strconv.Quote(name)
		}
		all[i] = name + " <" + a.Address + ">"
	}
	return strings.Join(all, ", ")
}

// get returns the value of the first field of that name.
func (e *entity) get(name string) string {
	for _, f := range e.fields {
		if strings.EqualFold(f.name, name) {
			return f.value
		}
	}
	return ""
}
