package htmltext

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"
)

// The limits for one HTML document. Mail from people stays far below them. The
// rest of a larger document is cut off, and the result says so.
const (
	maxHTML  = 2 << 20 // bytes
	maxNodes = 200_000
	maxDepth = 256 // html.Parse refuses a depth of 512, including implied elements
	maxFonts = 24  // open formatting elements; html.Parse repeats each in every block
)

// parse builds the tree that a browser would build, in limited time and memory.
// html.Parse alone turns 30 kB of unclosed <font> into 800,000 nodes, and takes
// minutes for many <html> tags with attributes. cut is true if a limit was
// reached.
func parse(src []byte) (doc *html.Node, cut bool) {
	if len(src) > maxHTML {
		src, cut = src[:maxHTML], true
	}
	for _, strict := range []bool{false, true} {
		limited := limiter{strict: strict, seen: map[string]bool{}}
		limited.run(src)
		doc, err := html.Parse(&limited.out)
		if err == nil {
			return doc, cut || limited.cut
		}
	}
	// This is only reached if the parser nests deeper than its input.
	return &html.Node{Type: html.DocumentNode}, true
}

// limiter copies HTML token by token. It leaves out comments, and elements that
// are nested too deep, because both would make a parser slow. It writes
// formatting elements above a limit as <span>. In strict mode it trusts an end
// tag to close only the element opened last.
type limiter struct {
	strict   bool
	out      bytes.Buffer
	open     []string        // elements written and not closed
	skipped  []string        // elements left out because they are nested too deep
	dropFrom int             // len(skipped) when it began to drop text; 0 if it drops none
	fonts    int             // open formatting elements
	nodes    int             // nodes that html.Parse will make, estimated
	cut      bool            // text, or the rest of the document, was left out
	seen     map[string]bool // html, head and body, once written
}

func (t *limiter) run(src []byte) {
	z := html.NewTokenizer(bytes.NewReader(src))
	for t.nodes < maxNodes {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			return
		case html.TextToken:
			t.text(raw)
		case html.StartTagToken, html.SelfClosingTagToken:
			raw = bytes.Clone(raw)
			name, attributes := z.TagName()
			t.start(string(name), raw, attributes, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			raw = bytes.Clone(raw)
			name, _ := z.TagName()
			t.end(string(name), raw)
		}
	}
	t.cut = true
}

func (t *limiter) text(raw []byte) {
	if t.dropFrom > 0 {
		t.cut = t.cut || len(bytes.TrimSpace(raw)) > 0
		return
	}
	t.nodes += 1 + t.fonts
	t.out.Write(raw)
}

func (t *limiter) start(name string, raw []byte, attributes, selfClosing bool) {
	switch name {
	case "html", "head", "body":
		if t.seen[name] || len(t.skipped) > 0 {
			return
		}
		t.seen[name] = true
		t.out.Write(raw)
		return
	}
	leaf := isVoid(name) || selfClosing && (slices.Contains(t.open, "svg") || slices.Contains(t.open, "math"))
	if !leaf && (len(t.skipped) > 0 || len(t.open) >= t.depth()) {
		t.skipped = append(t.skipped, name)
		// The attributes may have hidden the content of the element, so the
		// content is left out too.
		if attributes && t.dropFrom == 0 {
			t.dropFrom = len(t.skipped)
		}
		return
	}
	if leaf && t.dropFrom > 0 {
		return
	}
	t.nodes += 1 + t.fonts
	if leaf {
		t.out.Write(raw)
		return
	}
	t.closeImplied(name)
	if isFormatting(name) {
		if t.strict || t.fonts >= maxFonts {
			t.out.WriteString("<span")
			t.out.Write(raw[1+len(name):])
			t.open = append(t.open, "span")
			return
		}
		t.fonts++
	}
	t.out.Write(raw)
	t.open = append(t.open, name)
}

func (t *limiter) end(name string, raw []byte) {
	if n := len(t.skipped); n > 0 {
		if t.skipped[n-1] == name {
			t.skipped = t.skipped[:n-1]
			if len(t.skipped) < t.dropFrom {
				t.dropFrom = 0
			}
			return
		}
		if slices.Contains(t.skipped[max(0, n-maxDepth):], name) {
			return
		}
		t.skipped, t.dropFrom = nil, 0
	}
	at := lastIndex(t.open, name)
	if at < 0 && isFormatting(name) && len(t.open) > 0 && t.open[len(t.open)-1] == "span" {
		name, raw = "span", []byte("</span>")
		at = len(t.open) - 1
	}
	if at < 0 {
		return
	}
	t.out.Write(raw)
	if at == len(t.open)-1 {
		if isFormatting(name) {
			t.fonts--
		}
		t.open = t.open[:at]
	} else if !t.strict {
		t.open = t.open[:at]
	}
}

func (t *limiter) depth() int {
	if t.strict {
		return maxDepth / 4 // each element may imply up to two more: a tbody and a tr
	}
	return maxDepth
}

// closeImplied pops the elements that the start of an element ends implicitly.
// Otherwise lists of unclosed <p> and <li> would count as nesting.
func (t *limiter) closeImplied(name string) {
	for n := len(t.open); n > 0 && !t.strict && closesImplicitly(name, t.open[n-1]); n = len(t.open) {
		t.open = t.open[:n-1]
	}
}

func closesImplicitly(starting, open string) bool {
	switch open {
	case "p":
		return isBlock(starting)
	case "li":
		return starting == "li"
	case "dt", "dd":
		return starting == "dt" || starting == "dd"
	case "td", "th":
		return starting == "td" || starting == "th" || starting == "tr" || starting == "tbody"
	case "tr":
		return starting == "tr" || starting == "tbody"
	case "tbody":
		return starting == "tbody"
	case "option":
		return starting == "option"
	}
	return false
}

func lastIndex(names []string, name string) int {
	for i := len(names) - 1; i >= 0; i-- {
		if names[i] == name {
			return i
		}
	}
	return -1
}
