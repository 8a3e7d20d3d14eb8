package gmail

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// harmless returns the HTML of a mail as it can stand within another: what its
// body shows and its styles, without what runs, loads, submits, hides or tells
// the first sender that it was read. Images of the mail itself (cid) stay.
func harmless(document string) string {
	if strings.TrimSpace(document) == "" {
		return ""
	}
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		return ""
	}
	var c cleaner
	c.children(root, 0)
	return strings.TrimSpace(c.out.String())
}

type cleaner struct{ out strings.Builder }

// left are the elements that are left out with all that is in them.
var left = []atom.Atom{
	atom.Script, atom.Noscript, atom.Iframe, atom.Object, atom.Embed, atom.Applet, atom.Frame, atom.Frameset, atom.Form, atom.Input, atom.Button,
	atom.Textarea, atom.Select, atom.Meta, atom.Link, atom.Base, atom.Title, atom.Template, atom.Svg, atom.Math, atom.Audio, atom.Video, atom.Source,
}

// wrappers are elements of the document whose content stands without them.
var wrappers = []atom.Atom{atom.Html, atom.Head, atom.Body}

func (c *cleaner) children(n *html.Node, depth int) {
	const mostDepth = 400 // deeper than mail programs nest tables
	if depth > mostDepth {
		return
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		c.node(child, depth)
	}
}

func (c *cleaner) node(n *html.Node, depth int) {
	switch {
	case n.Type == html.TextNode && n.Parent != nil && n.Parent.DataAtom == atom.Style:
		c.out.WriteString(strings.ReplaceAll(n.Data, "</", ""))
	case n.Type == html.TextNode:
		c.out.WriteString(html.EscapeString(n.Data))
	case n.Type != html.ElementNode || slices.Contains(left, n.DataAtom) || isHidden(n) || isBeacon(n):
	case slices.Contains(wrappers, n.DataAtom):
		c.children(n, depth+1)
	default:
		c.element(n, depth)
	}
}

func (c *cleaner) element(n *html.Node, depth int) {
	if !isPlainName(n.Data) {
		c.children(n, depth+1)
		return
	}
	c.out.WriteString("<" + n.Data)
	for _, a := range n.Attr {
		if a.Namespace == "" && isPlainName(a.Key) && !strings.HasPrefix(a.Key, "on") && leadsNowhereBad(a) {
			c.out.WriteString(" " + a.Key + `="` + html.EscapeString(a.Val) + `"`)
		}
	}
	c.out.WriteString(">")
	if slices.Contains([]atom.Atom{atom.Br, atom.Hr, atom.Img, atom.Col, atom.Wbr, atom.Area}, n.DataAtom) {
		return
	}
	c.children(n, depth+1)
	c.out.WriteString("</" + n.Data + ">")
}

func isPlainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != ':'
	})
}

// leadsNowhereBad reports whether an attribute that names an address names one
// that a mail may.
func leadsNowhereBad(a html.Attribute) bool {
	switch a.Key {
	case "href", "src", "background", "cite", "longdesc":
		target := strings.ToLower(strings.TrimSpace(a.Val))
		scheme, _, ok := strings.Cut(target, ":")
		return !ok || strings.HasPrefix(target, "#") || slices.Contains([]string{"http", "https", "mailto", "tel", "cid"}, scheme)
	case "srcset", "action", "formaction", "ping", "srcdoc":
		return false
	}
	return true
}

// isHidden reports whether nobody could see the element.
func isHidden(n *html.Node) bool {
	for _, a := range n.Attr {
		style := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
		if a.Key == "hidden" || a.Key == "style" && (strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") ||
			strings.Contains(style, "font-size:0;") || strings.HasSuffix(style, "font-size:0") || strings.Contains(style, "font-size:0px") || strings.Contains(style, "opacity:0;") || strings.HasSuffix(style, "opacity:0")) {
			return true
		}
	}
	return false
}

// isBeacon reports whether the element is an image that is there to be loaded
// and not to be seen.
func isBeacon(n *html.Node) bool {
	if n.DataAtom != atom.Img {
		return false
	}
	for _, a := range n.Attr {
		if (a.Key == "width" || a.Key == "height") && slices.Contains([]string{"0", "1", "0px", "1px"}, strings.TrimSpace(a.Val)) {
			return true
		}
	}
	return false
}
