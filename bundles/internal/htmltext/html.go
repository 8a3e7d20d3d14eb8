package htmltext

import (
	"strings"

	"golang.org/x/net/html"
)

// Options change what HTML returns.
type Options struct {
	// StripQuotes leaves out the history that a mail program put below a reply.
	// Forwarded messages stay, and so do quotes that are answered line by line.
	StripQuotes bool
}

// Result is the visible content of an HTML document, as Markdown.
type Result struct {
	Markdown    string
	Hidden      int  // dropped characters of text that the sender had hidden
	Invisible   int  // dropped invisible characters (see Text)
	Trackers    int  // images that only report that the mail was read
	Images      int  // other images, not shown
	QuotedChars int  // characters of history that StripQuotes left out
	Truncated   bool // a limit was reached, so the rest of the document is missing
}

// HTML renders a document in UTF-8 as Markdown.
//
// HTML leaves out invisible content: scripts, styles, titles, comments,
// templates, form controls, and text hidden by its style. The style may be an
// attribute, an inline style, or a rule of a style block with a simple
// selector. Text is hidden if it is not displayed, has no size or opacity, is
// clipped, is moved away, or has the color of its background.
//
// Images are left out; the text of a short alt attribute replaces them. Links
// keep their exact text and target. A link to javascript:, data: or similar
// keeps only its text. Tables of data stay tables, tables for layout do not.
//
// HTML reads at most 2 MiB, 200,000 nodes and 256 levels of nesting. The text
// is cleaned by Text.
func HTML(src []byte, o Options) Result { return *render(src, o).result }

// render builds the page of a document, with its Markdown in the result.
func render(src []byte, o Options) *page {
	doc, cut := parse(src)
	var r Result
	p := &page{sheet: readSheet(doc), result: &r}
	if o.StripQuotes {
		r.QuotedChars = stripQuotes(doc)
	}
	p.root = &html.Node{Type: html.ElementNode, Data: "body"}
	p.box = p.root
	p.children(doc, initialStyle, 0)
	p.paragraph()
	markdown, dropped := Text(markdown(p.root))
	r.Markdown = strings.TrimSpace(markdown)
	r.Invisible += dropped
	r.Truncated = cut || p.sheet.cut || p.sheet.budget <= 0
	return p
}
