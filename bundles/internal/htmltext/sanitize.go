package htmltext

import (
	"strings"

	"golang.org/x/net/html"
)

// Sanitize returns HTML in UTF-8 in a form that is safe within another mail. It
// contains what the body shows, with its styles. It drops what runs, submits or
// hides, and images that tell the sender that the mail was read. Hidden content
// and trackers are those that HTML recognises. Styles load nothing, add no
// text, and apply only below elements that match the simple selector within,
// such as ".gmail_quote". Visible images stay.
//
// It reads as much as HTML does, and reports whether something was cut off.
func Sanitize(src []byte, within string) (document string, cut bool) {
	doc, cut := parse(src)
	c := cleaner{sheet: readSheet(doc), within: within}
	c.children(doc, initialStyle, 0)
	return strings.TrimSpace(c.out.String()), cut || c.sheet.cut || c.sheet.budget <= 0
}

type cleaner struct {
	sheet  *sheet
	within string // the selector to which styles are restricted
	out    strings.Builder
}

func (c *cleaner) children(n *html.Node, l computedStyle, depth int) {
	for child := n.FirstChild; child != nil && c.sheet.budget > 0; child = child.NextSibling {
		switch child.Type {
		case html.TextNode:
			if clean, _ := Text(child.Data); l.isVisible() || strings.TrimSpace(clean) == "" {
				c.out.WriteString(html.EscapeString(clean))
			}
		case html.ElementNode:
			c.element(child, l, depth+1)
		}
	}
}

func (c *cleaner) element(n *html.Node, above computedStyle, depth int) {
	switch {
	case n.Data == "style" && n.FirstChild != nil:
		c.out.WriteString("<style>" + inertSheet(n.FirstChild.Data, c.within) + "</style>")
		return
	case n.Data == "head": // only its styles matter to the body
		c.children(n, above, depth)
		return
	case hasNoText(n.Data), isHiddenElement(n.Data):
		return
	}
	l, is, hidden := above.child(n, c.sheet.style(n, depth))
	if hidden || n.Data == "img" && (l.hidden || isTracker(n, l, is)) {
		return
	}
	if isBare(n.Data) || !isPlainName(n.Data) {
		c.children(n, l, depth)
		return
	}
	c.out.WriteString("<" + n.Data)
	for _, a := range n.Attr {
		if value, ok := inertAttribute(n.Data, a); ok {
			c.out.WriteString(" " + a.Key + `="` + html.EscapeString(value) + `"`)
		}
	}
	c.out.WriteString(">")
	if isVoid(n.Data) {
		return
	}
	c.children(n, l, depth)
	c.out.WriteString("</" + n.Data + ">")
}

// isBare reports whether the element is removed but its content stays: wrappers
// of a document, elements that submit, and elements that turn all following
// content into text.
func isBare(name string) bool {
	switch name {
	case "html", "body", "form", "button", "plaintext", "xmp", "listing", "frame", "source", "track", "param":
		return true
	}
	return false
}

func isPlainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != ':'
	})
}

// inertAttribute returns the value that an attribute may have, and whether it
// may stay.
func inertAttribute(element string, a html.Attribute) (value string, ok bool) {
	if a.Namespace != "" || !isPlainName(a.Key) || strings.HasPrefix(a.Key, "on") {
		return "", false
	}
	switch a.Key {
	case "style":
		value = inertStyle(a.Val)
		return value, value != ""
	case "href", "cite", "longdesc":
		return a.Val, hasScheme(a.Val, "http", "https", "mailto", "tel")
	case "src":
		return a.Val, element == "img" && hasScheme(a.Val, "http", "https", "cid")
	case "background": // an image that is not content
		return a.Val, strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "cid:")
	case "srcset", "imagesrcset", "lowsrc", "dynsrc", "poster", "action", "formaction", "ping", "srcdoc":
		return "", false
	}
	return a.Val, true
}

// hasScheme reports whether an address has one of the schemes, or no scheme.
func hasScheme(address string, schemes ...string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(strings.TrimSpace(address)), ":")
	if !ok || strings.HasPrefix(scheme, "#") {
		return true
	}
	for _, one := range schemes {
		if scheme == one {
			return true
		}
	}
	return false
}

// inertSheet returns the rules of a style block that load nothing, restricted
// to elements below within. It drops at-rules other than @media and
// @supports: others could load something.
func inertSheet(css, within string) string {
	var out strings.Builder
	// Without a less-than sign, nothing in it can end the block.
	inertRules(&out, strings.ReplaceAll(uncommented(strings.NewReplacer("<!--", "", "-->", "").Replace(css)), "<", ""), within, 0)
	return out.String()
}

func inertRules(out *strings.Builder, css, within string, depth int) {
	for css != "" {
		at := strings.IndexAny(css, "{;}")
		if at < 0 {
			return
		}
		head := strings.TrimSpace(css[:at])
		if css[at] != '{' {
			css = css[at+1:]
			continue
		}
		body, rest := block(css[at+1:])
		css = rest
		switch name, _, _ := strings.Cut(plainCSS(head), " "); {
		case strings.HasPrefix(head, "@") && (name == "@media" || name == "@supports") && depth < 4 && !loadsResource(head):
			out.WriteString(head + "{")
			inertRules(out, body, within, depth+1)
			out.WriteString("}")
		case !strings.HasPrefix(name, "@") && !loadsResource(head):
			if said := inertStyle(body); said != "" {
				out.WriteString(restrictTo(within, head) + "{" + said + "}")
			}
		}
	}
}

// restrictTo restricts each selector to elements below within. It removes a leading
// html or body, since neither is below within.
func restrictTo(within, selectors string) string {
	bound := splitOutside(selectors, ',')
	for i, selector := range bound {
		selector = strings.TrimSpace(selector)
		for _, around := range []string{"html ", "body "} {
			selector = strings.TrimSpace(strings.TrimPrefix(selector, around))
		}
		bound[i] = within + " " + selector
	}
	return strings.Join(bound, ",")
}

// inertStyle returns the declarations that load nothing and add no text.
func inertStyle(css string) string {
	var kept []string
	for _, one := range splitOutside(uncommented(css), ';') {
		if one = strings.TrimSpace(one); one != "" && !loadsResource(one) && !addsText(one) && !strings.ContainsAny(one, "{}") {
			kept = append(kept, one)
		}
	}
	return strings.Join(kept, ";")
}

// uncommented returns css without comments, so that the checked text is the
// written text.
func uncommented(css string) string {
	css = withoutComments(css)
	if strings.Contains(css, "/*") {
		return "" // a new comment, assembled from the pieces of others
	}
	return css
}

// addsText reports whether a declaration adds text that readers of the plain text
// do not see.
func addsText(declaration string) bool {
	name, _, _ := strings.Cut(plainCSS(declaration), ":")
	return strings.TrimSpace(name) == "content"
}

// loadsResource reports whether a piece of a style fetches or runs something.
func loadsResource(css string) bool {
	css = strings.Join(strings.Fields(plainCSS(css)), "") // an escape consumes the space after it
	for _, what := range []string{"url(", "image(", "image-set(", "cross-fade(", "src(", "expression(", "behavior:", "-moz-binding", "@import"} {
		if strings.Contains(css, what) {
			return true
		}
	}
	return false
}
