package htmltext

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// children shows what is below n, whose text has the style l.
func (p *page) children(n *html.Node, l computedStyle, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case p.sheet.budget <= 0:
			return
		case c.Type == html.TextNode:
			p.words(c.Data, l)
		case c.Type == html.ElementNode:
			p.element(c, l, depth+1)
		case c.Type == html.DocumentNode:
			p.children(c, l, depth)
		}
	}
}

func (p *page) words(s string, l computedStyle) {
	clean, dropped := Text(s)
	p.result.Invisible += dropped
	switch {
	case !l.isVisible():
		p.result.Hidden += visibleLength(clean)
	case l.keepsLines && p.flat == 0:
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
	l, is, hidden := above.child(n, p.sheet.style(n, depth))
	if p.sheet.budget <= 0 {
		return
	}
	if n.Data == "img" {
		p.image(n, l, is, hidden)
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
		p.link(n, l, depth)
	case "b", "strong":
		p.within("strong", n, l, depth)
	case "i", "em":
		p.within("em", n, l, depth)
	case "code", "kbd", "tt", "samp":
		p.within("code", n, l, depth)
	case "pre":
		p.preformatted(n, l, depth)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		p.heading(n, l, depth)
	case "ul", "ol", "menu", "dir":
		p.list(n, l, depth)
	case "li":
		p.item(n, l, depth)
	case "blockquote":
		p.nested("blockquote", n, l, depth)
	case "table":
		p.table(n, l, depth)
	case "p", "dl", "figure":
		if is.isTight() {
			p.blockOf(n, l, depth, p.line)
		} else {
			p.blockOf(n, l, depth, p.paragraph)
		}
	case "q":
		p.text("“")
		p.children(n, l, depth)
		p.text("”")
	default:
		if isBlock(n.Data) || is["display"] == "block" {
			p.blockOf(n, l, depth, p.line)
		} else {
			p.children(n, l, depth)
		}
	}
}

// isTight reports whether a paragraph has no space around it, like the lines of
// Outlook.
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

func (p *page) blockOf(n *html.Node, l computedStyle, depth int, boundary func()) {
	boundary()
	p.children(n, l, depth)
	boundary()
}

// countHidden counts the content of n as hidden.
func (p *page) countHidden(n *html.Node) {
	for below := range n.Descendants() {
		switch {
		case below.Type == html.TextNode && !hasNoText(below.Parent.Data):
			clean, dropped := Text(below.Data)
			p.result.Invisible += dropped
			p.result.Hidden += visibleLength(clean)
		case below.Type == html.ElementNode && below.Data == "img":
			_, is, _ := initialStyle.child(below, declarations(attributeOf(below, "style")))
			p.image(below, initialStyle, is, true)
		}
	}
}

func (p *page) within(tag string, n *html.Node, l computedStyle, depth int) {
	if slices.ContainsFunc(p.inline, func(s *span) bool { return s.tag == tag || s.tag == "code" }) {
		p.children(n, l, depth)
		return
	}
	p.inline = append(p.inline, &span{tag: tag})
	p.children(n, l, depth)
	p.flush()
	p.inline = p.inline[:len(p.inline)-1]
}

func (p *page) heading(n *html.Node, l computedStyle, depth int) {
	p.paragraph()
	if p.flat > 0 {
		p.children(n, l, depth)
		return
	}
	p.tag = n.Data
	p.flat++
	p.children(n, l, depth)
	p.flush()
	p.flat--
	p.tag = ""
	p.paragraph()
}

func (p *page) list(n *html.Node, l computedStyle, depth int) {
	if p.flat > 0 || p.depth >= maxLevels {
		p.blockOf(n, l, depth, p.line)
		return
	}
	list := &html.Node{Type: html.ElementNode, Data: "ul"}
	if n.Data == "ol" {
		list.Data = "ol"
		if start, err := strconv.Atoi(attributeOf(n, "start")); err == nil && start >= 0 && start < 1e6 {
			list.Attr = []html.Attribute{{Key: "start", Val: strconv.Itoa(start)}}
		}
	}
	p.fillBlock(list, func() { p.children(n, l, depth) })
}

func (p *page) item(n *html.Node, l computedStyle, depth int) {
	if p.flat > 0 || p.depth >= maxLevels || p.box.Data != "ul" && p.box.Data != "ol" {
		p.blockOf(n, l, depth, p.line)
		return
	}
	p.fillBlock(&html.Node{Type: html.ElementNode, Data: "li"}, func() { p.children(n, l, depth) })
}

func (p *page) nested(tag string, n *html.Node, l computedStyle, depth int) {
	if p.flat > 0 || p.depth >= maxLevels {
		p.blockOf(n, l, depth, p.paragraph)
		return
	}
	p.fillBlock(&html.Node{Type: html.ElementNode, Data: tag}, func() { p.children(n, l, depth) })
}

func (p *page) rule() {
	p.paragraph()
	if p.flat == 0 {
		p.box.AppendChild(&html.Node{Type: html.ElementNode, Data: "hr"})
	}
}

// preformatted keeps the layout of n's text. A whole letter in <pre> is not
// code.
func (p *page) preformatted(n *html.Node, l computedStyle, depth int) {
	l.keepsLines = true
	if p.flat > 0 || holdsLink(n) || visibleLength(textOf(n)) > 2000 {
		p.blockOf(n, l, depth, p.paragraph)
		return
	}
	p.paragraph()
	before := p.verbatim
	p.verbatim = &strings.Builder{}
	p.children(n, l, depth)
	text := strings.Trim(p.verbatim.String(), "\n")
	p.verbatim = before
	if before != nil {
		before.WriteString(text)
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
	for below := range n.Descendants() {
		if below.Type == html.TextNode {
			b.WriteString(below.Data)
		}
	}
	return b.String()
}
