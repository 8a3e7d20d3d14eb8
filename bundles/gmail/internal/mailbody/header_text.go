package mailbody

import (
	"fmt"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
)

// maxShown is the maximum number of addresses that a row shows.
const maxShown = 3

// Addresses returns the addresses of a header in readable form: "Anna Berg
// <anna@example.org>". Text that is not an address follows at the end. Each
// element is one line without invisible characters.
func Addresses(header string) []string {
	if strings.TrimSpace(header) == "" {
		return nil
	}
	list, rest := mailmsg.ParseAddressList(header)
	shown := make([]string, 0, len(list)+len(rest))
	for _, a := range list {
		address := htmltext.Line(a.Address)
		if name := htmltext.First(htmltext.Line(a.Name), MaxName); name != "" && name != a.Address {
			address = name + " <" + address + ">"
		}
		shown = append(shown, address)
	}
	for _, piece := range rest {
		shown = append(shown, htmltext.Line(piece))
	}
	return shown
}

// ShortList returns the first addresses of a header on one line, and the number of the
// others.
func ShortList(header string) string {
	all := Addresses(header)
	more := ""
	if len(all) > maxShown {
		all, more = all[:maxShown], fmt.Sprintf(" and %d more", len(all)-maxShown)
	}
	return Line(strings.Join(all, ", "), 3*MaxName) + more
}

// Sender returns the address in the From header, or "".
func Sender(message *gmailapi.Message) string {
	from, _ := mailmsg.ParseAddressList(Header(message.Payload, "From"))
	if len(from) == 0 {
		return ""
	}
	return htmltext.Short(from[0].Address, MaxName)
}

// These limit the texts of a row, in characters.
const (
	MaxName    = 100
	MaxSubject = 200
	MaxSnippet = 200
)

// Line returns the text of a header on one line, decoded and without invisible characters.
// The result has at most limit characters.
func Line(header string, limit int) string {
	return htmltext.Short(mailmsg.DecodeHeader(header), limit)
}

// BareAddresses returns the addresses of a header without display names.
func BareAddresses(header string) []string {
	list, _ := mailmsg.ParseAddressList(header)
	addresses := make([]string, len(list))
	for i, a := range list {
		addresses[i] = a.Address
	}
	return addresses
}
