package htmltext

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// children adds the content of n to the page. style is the style of n, and
// depth is its depth in the document.
func (p *page) children(n *html.Node, style computedStyle, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case p.sheet.budget <= 0:
			return
		case c.Type == html.TextNode:
			p.words(c.Data, style)
		case c.Type == html.ElementNode:
			p.element(c, style, depth+1)
		case c.Type == html.DocumentNode:
			p.children(c, style, depth)
		}
	}
}

func (p *page) words(s string, style computedStyle) {
	clean, dropped := Text(s)
	p.result.Invisible += dropped
	switch {
	case !style.isVisible():
		p.result.Hidden += visibleLength(clean)
	case style.keepsLines && p.flat == 0:
		for i, line := range strings.Split(clean, "\n") {
			if i > 0 {
				p.newline()
			}
			p.text(line)
		}
	default:
		p.text(clean)
	}
}

func (p *page) element(n *html.Node, above computedStyle, depth int) {
	if hasNoText(n.Data) {
		return
	}
	style, box, hidden := above.child(n, p.sheet.style(n, depth))
	if p.sheet.budget <= 0 {
		return
	}
	if n.Data == "img" {
		p.image(n, style, box, hidden)
		return
	}
	if hidden || isHiddenElement(n.Data) {
		p.countHidden(n)
		return
	}
	switch n.Data {
	case "br":
		p.newline()
	case "hr":
		p.rule()
	case "a":
		p.link(n, style, depth)
	case "b", "strong":
		p.within("strong", n, style, depth)
	case "i", "em":
		p.within("em", n, style, depth)
	case "code", "kbd", "tt", "samp":
		p.within("code", n, style, depth)
	case "pre":
		p.preformatted(n, style, depth)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		p.heading(n, style, depth)
	case "ul", "ol", "menu", "dir":
		p.list(n, style, depth)
	case "li":
		p.item(n, style, depth)
	case "blockquote":
		p.nested("blockquote", n, style, depth)
	case "table":
		p.table(n, style, depth)
	case "p", "dl", "figure":
		if box.isTight() {
			p.blockOf(n, style, depth, p.line)
		} else {
			p.blockOf(n, style, depth, p.paragraph)
		}
	case "q":
		p.text("“")
		p.children(n, style, depth)
		p.text("”")
	default:
		if isBlock(n.Data) || box["display"] == "block" {
			p.blockOf(n, style, depth, p.line)
		} else {
			p.children(n, style, depth)
		}
	}
}

// isTight reports whether a paragraph has no space above and below, like the
// lines of Outlook.
func (b boxStyle) isTight() bool {
	margin := strings.Fields(b["margin"])
	zero := func(property string, side int) bool {
		value, own := b[property]
		if !own && len(margin) > 0 {
			value = margin[min(side, len(margin)-1)]
			if side == 2 && len(margin) < 3 {
				value = margin[0]
			}
		}
		size, ok := pixels(value, 16)
		return ok && size < 2
	}
	return zero("margin-top", 0) && zero("margin-bottom", 2)
}

// blockOf adds the content of n between two boundaries: lines or paragraphs.
func (p *page) blockOf(n *html.Node, style computedStyle, depth int, boundary func()) {
	boundary()
	p.children(n, style, depth)
	boundary()
}

// countHidden counts the content of n as hidden.
func (p *page) countHidden(n *html.Node) {
	for descendant := range n.Descendants() {
		switch {
		case descendant.Type == html.TextNode && !hasNoText(descendant.Parent.Data):
			clean, dropped := Text(descendant.Data)
			p.result.Invisible += dropped
			p.result.Hidden += visibleLength(clean)
		case descendant.Type == html.ElementNode && descendant.Data == "img":
			_, box, _ := initialStyle.child(descendant, declarations(attributeOf(descendant, "style")))
			p.image(descendant, initialStyle, box, true)
		}
	}
}

func (p *page) within(tag string, n *html.Node, style computedStyle, depth int) {
	if slices.ContainsFunc(p.inline, func(s *span) bool { return s.tag == tag || s.tag == "code" }) {
		p.children(n, style, depth)
		return
	}
	p.inline = append(p.inline, &span{tag: tag})
	p.children(n, style, depth)
	p.flush()
	p.inline = p.inline[:len(p.inline)-1]
}

func (p *page) heading(n *html.Node, style computedStyle, depth int) {
	p.paragraph()
	if p.flat > 0 {
		p.children(n, style, depth)
		return
	}
	p.tag = n.Data
	p.flat++
	p.children(n, style, depth)
	p.flush()
	p.flat--
	p.tag = ""
	p.paragraph()
}

func (p *page) list(n *html.Node, style computedStyle, depth int) {
	if p.flat > 0 || p.depth >= maxLevels {
		p.blockOf(n, style, depth, p.line)
		return
	}
	list := &html.Node{Type: html.ElementNode, Data: "ul"}
	if n.Data == "ol" {
		list.Data = "ol"
		if start, err := strconv.Atoi(attributeOf(n, "start")); err == nil && start >= 0 && start < 1e6 {
			list.Attr = []html.Attribute{{Key: "start", Val: strconv.Itoa(start)}}
		}
	}
	p.fillBlock(list, func() { p.children(n, style, depth) })
}

func (p *page) item(n *html.Node, style computedStyle, depth int) {
	if p.flat > 0 || p.depth >= maxLevels || p.box.Data != "ul" && p.box.Data != "ol" {
		p.blockOf(n, style, depth, p.line)
		return
	}
	p.fillBlock(&html.Node{Type: html.ElementNode, Data: "li"}, func() { p.children(n, style, depth) })
}

func (p *page) nested(tag string, n *html.Node, style computedStyle, depth int) {
	if p.flat > 0 || p.depth >= maxLevels {
		p.blockOf(n, style, depth, p.paragraph)
		return
	}
	p.fillBlock(&html.Node{Type: html.ElementNode, Data: tag}, func() { p.children(n, style, depth) })
}

func (p *page) rule() {
	p.paragraph()
	if p.flat == 0 {
		p.box.AppendChild(&html.Node{Type: html.ElementNode, Data: "hr"})
	}
}

// preformatted keeps the layout of n's text. A <pre> that is long or contains a
// link is not code, and becomes paragraphs.
func (p *page) preformatted(n *html.Node, style computedStyle, depth int) {
	style.keepsLines = true
	if p.flat > 0 || holdsLink(n) || visibleLength(textOf(n)) > 2000 {
		p.blockOf(n, style, depth, p.paragraph)
		return
	}
	p.paragraph()
	outer := p.verbatim
	p.verbatim = &strings.Builder{}
	p.children(n, style, depth)
	text := strings.Trim(p.verbatim.String(), "\n")
	p.verbatim = outer
	if outer != nil {
		outer.WriteString(text)
		return
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	pre := &html.Node{Type: html.ElementNode, Data: "pre"}
	pre.AppendChild(&html.Node{Type: html.TextNode, Data: text})
	p.box.AppendChild(pre)
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for descendant := range n.Descendants() {
		if descendant.Type == html.TextNode {
			b.WriteString(descendant.Data)
		}
	}
	return b.String()
}
