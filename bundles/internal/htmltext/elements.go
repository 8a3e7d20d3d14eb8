package htmltext

import (
	"strings"

	"golang.org/x/net/html"
)

// isVoid reports whether the element has no end tag (HTML, 13.1.2).
func isVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// isFormatting reports whether later blocks reopen the element until it is closed (HTML, 13.2.4.3).
func isFormatting(name string) bool {
	switch name {
	case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}

// isBlock reports whether the element starts a new line.
func isBlock(name string) bool {
	switch name {
	case "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dir", "div", "dl",
		"dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup",
		"hr", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td",
		"tfoot", "th", "thead", "tr", "ul":
		return true
	}
	return false
}

// hasNoText reports whether the element's content is never text for readers,
// such as a script or a style sheet. Readers do not expect to see it, so it
// does not count as hidden text.
func hasNoText(name string) bool {
	switch name {
	case "head", "script", "style", "title", "link", "meta", "base":
		return true
	}
	return false
}

// isHiddenElement reports whether mail programs do not show the element's content as
// text.
func isHiddenElement(name string) bool {
	switch name {
	case "template", "noscript", "svg", "math", "object", "embed", "applet", "iframe", "frameset", "noframes", "noembed",
		"canvas", "audio", "video", "map", "input", "select", "datalist", "textarea", "progress", "meter":
		return true
	}
	return false
}

// attribute returns the value of the attribute of n with that name, and whether
// n has it.
func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

// attributeOf returns the value of an attribute without surrounding space, or
// "".
func attributeOf(n *html.Node, name string) string {
	value, _ := attribute(n, name)
	return strings.TrimSpace(value)
}

// visibleLength counts the characters of s that a reader sees; a run of spaces
// counts once.
func visibleLength(s string) int {
	clean, _ := Text(s)
	return len([]rune(strings.Join(strings.Fields(clean), " ")))
}
