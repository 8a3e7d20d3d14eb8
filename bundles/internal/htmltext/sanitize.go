package htmltext

import (
	"strings"

	"golang.org/x/net/html"
)

// Sanitize returns HTML in UTF-8 in a form that is safe within another mail. It
// keeps what the body shows, with its styles and visible images. It drops what
// would run or submit something, and the hidden content and trackers that HTML
// recognises. Styles load nothing and add no text. Rules of style blocks apply
// only below elements that match scope, a simple selector such as
// ".gmail_quote".
//
// Sanitize has the same limits as HTML. cut is true if one was reached.
func Sanitize(src []byte, scope string) (document string, cut bool) {
	doc, cut := parse(src)
	c := cleaner{sheet: readSheet(doc), scope: scope}
	c.children(doc, initialStyle, 0)
	return strings.TrimSpace(c.out.String()), cut || c.sheet.cut || c.sheet.budget <= 0
}

type cleaner struct {
	sheet *sheet
	scope string // the selector to which styles are restricted
	out   strings.Builder
}

func (c *cleaner) children(n *html.Node, style computedStyle, depth int) {
	for child := n.FirstChild; child != nil && c.sheet.budget > 0; child = child.NextSibling {
		switch child.Type {
		case html.TextNode:
			if clean, _ := Text(child.Data); style.isVisible() || strings.TrimSpace(clean) == "" {
				c.out.WriteString(html.EscapeString(clean))
			}
		case html.ElementNode:
			c.element(child, style, depth+1)
		}
	}
}

func (c *cleaner) element(n *html.Node, above computedStyle, depth int) {
	switch {
	case n.Data == "style" && n.FirstChild != nil:
		c.out.WriteString("<style>" + inertSheet(n.FirstChild.Data, c.scope) + "</style>")
		return
	case n.Data == "head": // only its styles matter to the body
		c.children(n, above, depth)
		return
	case hasNoText(n.Data), isHiddenElement(n.Data):
		return
	}
	style, box, hidden := above.child(n, c.sheet.style(n, depth))
	if hidden || n.Data == "img" && (style.hidden || isTracker(n, style, box)) {
		return
	}
	if isBare(n.Data) || !isPlainName(n.Data) {
		c.children(n, style, depth)
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
	c.children(n, style, depth)
	c.out.WriteString("</" + n.Data + ">")
}

// isBare reports whether the element is removed but its content stays. These are
// the wrappers of a document, and the elements that submit something, load
// something, or turn all following content into text.
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

// inertAttribute returns the safe value of an attribute, and whether the
// attribute may stay.
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
	for _, allowed := range schemes {
		if scheme == allowed {
			return true
		}
	}
	return false
}

// inertSheet returns the rules of a style block that load nothing, restricted
// to elements below scope. It drops all at-rules other than @media and
// @supports: others could load something.
func inertSheet(css, scope string) string {
	var out strings.Builder
	// Without a less-than sign, the CSS cannot contain </style>.
	inertRules(&out, strings.ReplaceAll(uncommented(strings.NewReplacer("<!--", "", "-->", "").Replace(css)), "<", ""), scope, 0)
	return out.String()
}

func inertRules(out *strings.Builder, css, scope string, depth int) {
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
			inertRules(out, body, scope, depth+1)
			out.WriteString("}")
		case !strings.HasPrefix(name, "@") && !loadsResource(head):
			if style := inertStyle(body); style != "" {
				out.WriteString(restrictTo(scope, head) + "{" + style + "}")
			}
		}
	}
}

// restrictTo restricts each selector to elements below scope. It removes a
// leading html or body, because neither is below scope.
func restrictTo(scope, selectors string) string {
	restricted := splitOutside(selectors, ',')
	for i, selector := range restricted {
		selector = strings.TrimSpace(selector)
		for _, wrapper := range []string{"html ", "body "} {
			selector = strings.TrimSpace(strings.TrimPrefix(selector, wrapper))
		}
		restricted[i] = scope + " " + selector
	}
	return strings.Join(restricted, ",")
}

// inertStyle returns those declarations of css that load nothing and add no
// text.
func inertStyle(css string) string {
	var kept []string
	for _, part := range splitOutside(uncommented(css), ';') {
		if part = strings.TrimSpace(part); part != "" && !loadsResource(part) && !addsText(part) && !strings.ContainsAny(part, "{}") {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ";")
}

// uncommented returns css without comments, because mail programs could read
// them in another way than the checks.
func uncommented(css string) string {
	css = withoutComments(css)
	if strings.Contains(css, "/*") {
		return "" // removing comments has assembled a new one
	}
	return css
}

// addsText reports whether a declaration adds text, which readers of the plain
// text would not see.
func addsText(declaration string) bool {
	name, _, _ := strings.Cut(plainCSS(declaration), ":")
	return strings.TrimSpace(name) == "content"
}

// loadsResource reports whether a piece of CSS could fetch or run something.
func loadsResource(css string) bool {
	css = strings.Join(strings.Fields(plainCSS(css)), "") // an escape consumes the space after it
	for _, what := range []string{"url(", "image(", "image-set(", "cross-fade(", "src(", "expression(", "behavior:", "-moz-binding", "@import"} {
		if strings.Contains(css, what) {
			return true
		}
	}
	return false
}
