package gmail

import (
	"fmt"
	"strings"

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
