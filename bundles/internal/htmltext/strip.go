package htmltext

import (
	"strings"

	"golang.org/x/net/html"
)

// stripQuotes removes the history below a reply from a document, and returns
// its number of characters. It removes everything from the place at which
// Outlook marked that earlier messages begin. Then it works backwards from the
// end and stops at the writer's last words, so that a quote answered line by
// line stays. It removes nothing from a forwarded mail, or if no text would
// remain.
func stripQuotes(doc *html.Node) int {
	if forwarded(textOf(doc)) {
		return 0
	}
	body := doc
	for n := range doc.Descendants() {
		if n.Data == "body" && n.Type == html.ElementNode {
			body = n
			break
		}
	}
	var s stripper
	total := visibleLength(visibleText(body))
	if cut := history(body); cut != nil {
		s.removeFrom(cut, body)
	}
	s.trim(body)
	quoted := 0
	for _, n := range s.nodes {
		quoted += visibleLength(visibleText(n))
	}
	if quoted >= total {
		return 0
	}
	for _, n := range s.nodes {
		n.Parent.RemoveChild(n)
	}
	return quoted
}

// stripper collects the nodes to remove from a document.
type stripper struct {
	nodes   []*html.Node
	removed map[*html.Node]bool
}

// remove collects n. stripQuotes removes it at the end.
func (s *stripper) remove(n *html.Node) {
	if s.removed == nil {
		s.removed = map[*html.Node]bool{}
	}
	s.nodes = append(s.nodes, n)
	s.removed[n] = true
}

// removeFrom collects n and everything after it in body.
func (s *stripper) removeFrom(n, body *html.Node) {
	s.remove(n)
	for at := n; at != nil && at != body; at = at.Parent {
		for next := at.NextSibling; next != nil; next = next.NextSibling {
			s.remove(next)
		}
	}
}

// history returns the element that Outlook puts above earlier messages, or nil.
func history(body *html.Node) *html.Node {
	for n := range body.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch attributeOf(n, "id") {
		case "divRplyFwdMsg", "appendonsend", "OLK_SRC_BODY_SECTION":
			if visibleLength(visibleText(n)) > 0 || attributeOf(n, "id") == "appendonsend" {
				return n
			}
		}
	}
	return nil
}

// trim collects the quotes at the end of n, and reports whether it stopped at a
// text that is not quoted.
func (s *stripper) trim(n *html.Node) (met bool) {
	for c := n.LastChild; c != nil; c = c.PrevSibling {
		if s.removed[c] {
			continue
		}
		text := strings.TrimSpace(visibleText(c))
		switch {
		case c.Type == html.TextNode && text != "" && len(s.nodes) > 0 && attribution(text):
			s.remove(c)
		case c.Type == html.TextNode && text != "":
			return true
		case c.Type != html.ElementNode || text == "":
		case isQuote(c) && !hasAnswers(c), len(s.nodes) > 0 && attribution(text):
			s.remove(c)
		case s.trim(c):
			return true
		}
	}
	return false
}

var quoteClasses = []string{"gmail_quote", "gmail_quote_container", "gmail_attr", "yahoo_quoted", "moz-cite-prefix",
	"protonmail_quote", "tutanota_quote", "zmail_extra", "gmail_extra"}

// isQuote reports whether a mail program marked n as history.
func isQuote(n *html.Node) bool {
	if n.Data == "blockquote" && strings.EqualFold(attributeOf(n, "type"), "cite") {
		return true
	}
	classes := strings.Fields(attributeOf(n, "class"))
	for _, class := range quoteClasses {
		for _, own := range classes {
			if own == class || strings.HasPrefix(own, "yahoo_quoted") {
				return true
			}
		}
	}
	return false
}

// hasAnswers reports whether somebody wrote between the lines of a quote: text
// around its inner quotes that is not an attribution. It returns false for a
// blockquote, because the answers to it are outside of it.
func hasAnswers(quote *html.Node) bool {
	if quote.Data == "blockquote" {
		return false
	}
	var own strings.Builder
	quotes := 0
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Data == "blockquote" && c.Type == html.ElementNode:
				quotes++
			case c.Type == html.ElementNode && strings.Contains(attributeOf(c, "class"), "gmail_attr"):
			case c.Type == html.TextNode:
				own.WriteString(c.Data + " ")
			case !hasNoText(c.Data):
				walk(c)
			}
		}
	}
	walk(quote)
	text := strings.Join(strings.Fields(own.String()), " ")
	return quotes > 0 && text != "" && !attribution(text)
}

// visibleText returns the text of n without scripts, styles and titles.
func visibleText(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for descendant := range n.Descendants() {
		if descendant.Type == html.TextNode && !hasNoText(descendant.Parent.Data) {
			b.WriteString(descendant.Data + " ")
		}
	}
	return b.String()
}
