package htmltext

import (
	"strings"

	"golang.org/x/net/html"
)

// maxLevels limits nested quotes and lists, which indent each of their lines.
const maxLevels = 20

// page is the tree of visible content, with the few elements of Markdown.
// Blocks hold paragraphs, which hold text and marks. Wrapper elements are
// removed.
type page struct {
	sheet  *sheet
	result *Result

	root     *html.Node
	box      *html.Node       // the current block
	depth    int              // the number of open blocks, including box
	para     *html.Node       // the current paragraph; nil before its first word
	tag      string           // the kind of the next paragraph; "" for a plain one
	inline   []*span          // the marks around the text
	buffer   strings.Builder  // text that is not in the tree yet
	breaks   int              // line breaks before the next word
	space    bool             // a space before the next word
	flat     int              // above 0 in a link, heading or cell: there a block becomes only a space
	verbatim *strings.Builder // receives the text unchanged in a <pre>; nil elsewhere
}

// span is a mark around text that may continue in the next paragraph.
type span struct {
	tag, href string
	node      *html.Node // its element in the current paragraph; nil before the first word there
	shown     bool       // it contains text
	pictures  int        // visible images in it
}

// text adds words. A run of spaces becomes one space, as in a browser.
func (p *page) text(s string) {
	if p.verbatim != nil {
		p.verbatim.WriteString(s)
		return
	}
	for field := range strings.FieldsSeq(s) {
		at := strings.Index(s, field)
		p.space = p.space || at > 0
		s = s[at+len(field):]
		p.word(field)
	}
	p.space = p.space || s != ""
	if p.para == nil || p.breaks > 0 {
		if strings.Contains(s, "\u00A0") && p.para != nil && p.flat == 0 {
			p.breaks++ // a line with only a no-break space becomes an empty line
		}
		p.space = false
	}
}

func (p *page) word(s string) {
	if p.para != nil && p.breaks > 1 {
		p.paragraph()
	}
	if p.para == nil {
		p.begin()
	} else if p.breaks == 1 {
		p.flush()
		p.top().AppendChild(&html.Node{Type: html.ElementNode, Data: "br"})
		p.space = false
	}
	p.breaks = 0
	if p.space {
		p.buffer.WriteByte(' ')
		p.space = false
	}
	p.openSpans()
	p.buffer.WriteString(s)
}

func (p *page) begin() {
	p.space = false
	if p.box.Data == "td" || p.box.Data == "th" {
		p.para = p.box
		return
	}
	tag := p.tag
	if tag == "" {
		tag = "p"
	}
	p.para = &html.Node{Type: html.ElementNode, Data: tag}
	p.box.AppendChild(p.para)
}

// top returns the innermost mark that is open in the tree, or the paragraph.
func (p *page) top() *html.Node {
	at := p.para
	for _, s := range p.inline {
		if s.node == nil {
			break
		}
		at = s.node
	}
	return at
}

// openSpans opens the marks around the next word.
func (p *page) openSpans() {
	for _, s := range p.inline {
		s.shown = true
		if s.node != nil {
			continue
		}
		p.flush()
		if last := p.top().LastChild; last != nil && last.Data == s.tag && last.Type == html.ElementNode && s.tag != "a" {
			s.node = last // <b>one</b><b>word</b>
			continue
		}
		node := &html.Node{Type: html.ElementNode, Data: s.tag}
		if s.tag == "a" {
			node.Attr = []html.Attribute{{Key: "href", Val: s.href}}
		}
		p.top().AppendChild(node)
		s.node = node
	}
}

// flush moves the buffered text into the tree.
func (p *page) flush() {
	if p.buffer.Len() == 0 {
		return
	}
	p.top().AppendChild(&html.Node{Type: html.TextNode, Data: p.buffer.String()})
	p.buffer.Reset()
}

// newline handles a <br>.
func (p *page) newline() {
	switch {
	case p.verbatim != nil:
		p.verbatim.WriteByte('\n')
	case p.flat > 0:
		p.space = true
	case p.para != nil:
		p.breaks++
	}
}

// line ends the current line, if any.
func (p *page) line() {
	switch {
	case p.verbatim != nil:
		if text := p.verbatim.String(); text != "" && !strings.HasSuffix(text, "\n") {
			p.verbatim.WriteByte('\n')
		}
	case p.flat > 0:
		p.space = true
	case p.para != nil:
		p.breaks = max(p.breaks, 1)
	}
}

// paragraph ends the current paragraph, if any.
func (p *page) paragraph() {
	if p.flat > 0 || p.verbatim != nil {
		p.line()
		return
	}
	p.flush()
	for _, s := range p.inline {
		s.node = nil
	}
	p.para, p.breaks, p.space = nil, 0, false
}

// fillBlock calls fill with block as the current block. Then it adds block to
// the outer block, unless block is empty.
func (p *page) fillBlock(block *html.Node, fill func()) {
	p.paragraph()
	outer := p.box
	p.box = block
	p.depth++
	fill()
	p.paragraph()
	p.depth--
	p.box = outer
	if block.FirstChild != nil {
		outer.AppendChild(block)
	}
}
