package htmltext

import (
	"strings"

	"golang.org/x/net/html"
)

// Options say what becomes of a document besides being made readable.
type Options struct {
	// StripQuotes leaves out the history that a mail program put below an
	// answer. What was forwarded, and quotes that are answered line by line,
	// stay.
	StripQuotes bool
}

// A Result is what a person sees of an HTML document, as Markdown.
type Result struct {
	Markdown    string
	Hidden      int  // characters of text that the sender had hidden, dropped
	Invisible   int  // characters that show nothing, dropped (see Text)
	Trackers    int  // images of no size or of a known kind that report the reading
	Images      int  // other images, not shown
	QuotedChars int  // characters of history left out
	Truncated   bool // a limit was met: not all of the document is here
}

// HTML renders a document in UTF-8 as Markdown.
//
// Left out is what nobody sees: scripts, styles, titles, comments, templates,
// form controls, and text hidden by its style, be it an attribute, an inline
// style or a rule of a style block with a simple selector: not displayed, of
// no size or opacity, clipped, moved away, or of the color of its background.
// Images are left out; the text of a short alt attribute stands in for one.
// Links keep text and target as they are; one to javascript:, data: or the
// like keeps its text alone. Tables of data stay tables, tables for layout do
// not.
//
// It reads at most 2 MiB, 200,000 nodes and 256 levels of nesting. The text is
// what Text makes of it.
func HTML(src []byte, o Options) Result { return *render(src, o).result }

// render draws the page of a document, with its Markdown in the result.
func render(src []byte, o Options) *page {
	doc, cut := parse(src)
	var r Result
	p := &page{sheet: readSheet(doc), result: &r}
	if o.StripQuotes {
		r.QuotedChars = stripQuotes(doc)
	}
	p.root = &html.Node{Type: html.ElementNode, Data: "body"}
	p.box = p.root
	p.children(doc, first, 0)
	p.paragraph()
	markdown, dropped := Text(markdown(p.root))
	r.Markdown = strings.TrimSpace(markdown)
	r.Invisible += dropped
	r.Truncated = cut || p.sheet.cut || p.sheet.budget <= 0
	return p
}
