package gmail

import (
	"fmt"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
)

// mostShown is how many addresses of a list a row shows.
const mostShown = 3

// addresses returns the addresses of a header, each as people read it: "Anna
// Berg <anna@example.org>". What is no address is shown as
// it is, at the end.
func addresses(header string) []string {
	if strings.TrimSpace(header) == "" {
		return nil
	}
	list, rest := mailmsg.ParseAddressList(header)
	shown := make([]string, 0, len(list)+len(rest))
	for _, a := range list {
		address := htmltext.Line(a.Address)
		if name := htmltext.First(htmltext.Line(a.Name), mostOfAName); name != "" && name != a.Address {
			address = name + " <" + address + ">"
		}
		shown = append(shown, address)
	}
	for _, piece := range rest {
		shown = append(shown, htmltext.Line(piece))
	}
	return shown
}

// shortList shows the first few addresses of a header on one line.
func shortList(header string) string {
	all := addresses(header)
	more := ""
	if len(all) > mostShown {
		all, more = all[:mostShown], fmt.Sprintf(" and %d more", len(all)-mostShown)
	}
	return line(strings.Join(all, ", "), 3*mostOfAName) + more
}

// senderOf is the address that the message says it is from.
func senderOf(message *gmailapi.Message) string {
	from, _ := mailmsg.ParseAddressList(partHeader(message.Payload, "From"))
	if len(from) == 0 {
		return ""
	}
	return htmltext.Short(from[0].Address, mostOfAName)
}

// What a row shows at most, in characters.
const (
	mostOfAName    = 100
	mostOfASubject = 200
	mostOfASnippet = 200
)

// line is the text of a header on one line, decoded and without what is
// invisible, at most so many characters.
func line(header string, most int) string { return htmltext.Short(mailmsg.DecodeHeader(header), most) }
