package htmltext

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"kota/bundles/internal/lazyregexp"
)

// markdown returns the tree of a page as Markdown. It does not use the library
// html-to-markdown, which takes minutes for a mail of "[[[[". Here every byte is
// written at most once for each level of nesting: see maxLevels.
func markdown(root *html.Node) string {
	var b strings.Builder
	writeBlocks(&b, root, "")
	return b.String()
}

// writeBlocks writes the blocks in n, separated by empty lines. Each line after
// the first starts with the prefix.
func writeBlocks(b *strings.Builder, n *html.Node, prefix string) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c != n.FirstChild {
			tight := n.Data == "li" && (c.Data == "ul" || c.Data == "ol")
			if !tight {
				b.WriteString("\n" + strings.TrimRight(prefix, " "))
			}
			b.WriteString("\n" + prefix)
		}
		writeBlock(b, c, prefix)
	}
}

func writeBlock(b *strings.Builder, n *html.Node, prefix string) {
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		b.WriteString(strings.Repeat("#", int(n.Data[1]-'0')) + " ")
		writeInline(b, n, false)
	case "ul", "ol":
		writeList(b, n, prefix)
	case "blockquote":
		b.WriteString("> ")
		writeBlocks(b, n, prefix+"> ")
	case "pre":
		text := textOf(n)
		fence := fenceFor(text, 3)
		b.WriteString(strings.ReplaceAll(fence+"\n"+text+"\n"+fence, "\n", "\n"+prefix))
	case "hr":
		b.WriteString("---")
	case "table":
		writeTable(b, n, prefix)
	default:
		var text strings.Builder
		writeInline(&text, n, false)
		escaped := structure().ReplaceAllString(text.String(), `$1\$2`)
		b.WriteString(strings.ReplaceAll(escaped, "\n", "\n"+prefix))
	}
}

// structure matches the beginning of a line that Markdown would read as a
// heading, quote, list, rule, fence or link definition.
var structure = lazyregexp.New("(?m)^((?:[0-9]{1,9})?)((?:#{1,6}|[-+*.)])(?:[ \t]|$)|>|```|~~~|[-=*_]{3,}$|\\[[^\\]\n]{1,100}\\]:)")

func writeList(b *strings.Builder, list *html.Node, prefix string) {
	number, err := strconv.Atoi(attributeOf(list, "start"))
	if err != nil {
		number = 1
	}
	for item := list.FirstChild; item != nil; item = item.NextSibling {
		if item != list.FirstChild {
			b.WriteString("\n" + prefix)
		}
		marker := "- "
		if list.Data == "ol" {
			marker = strconv.Itoa(number) + ". "
			number++
		}
		b.WriteString(marker)
		inner := prefix + strings.Repeat(" ", len(marker))
		if item.Data == "li" {
			writeBlocks(b, item, inner)
		} else {
			writeBlock(b, item, inner)
		}
	}
}

// writeTable writes rows of cells. The first row becomes the head, which
// Markdown requires.
func writeTable(b *strings.Builder, table *html.Node, prefix string) {
	columns := 0
	for row := table.FirstChild; row != nil; row = row.NextSibling {
		width := 0
		for cell := row.FirstChild; cell != nil; cell = cell.NextSibling {
			width += spanOf(cell)
		}
		columns = max(columns, width)
	}
	for row := table.FirstChild; row != nil; row = row.NextSibling {
		if row != table.FirstChild {
			b.WriteString("\n" + prefix)
		}
		b.WriteByte('|')
		width := 0
		for cell := row.FirstChild; cell != nil; cell = cell.NextSibling {
			var text strings.Builder
			writeInline(&text, cell, false)
			b.WriteString(" " + strings.ReplaceAll(text.String(), "|", `\|`) + " |")
			b.WriteString(strings.Repeat(" |", spanOf(cell)-1))
			width += spanOf(cell)
		}
		b.WriteString(strings.Repeat(" |", columns-width))
		if row == table.FirstChild {
			b.WriteString("\n" + prefix + "|" + strings.Repeat("---|", columns))
		}
	}
}

// spanOf returns how many columns a cell takes.
func spanOf(cell *html.Node) int {
	span, err := strconv.Atoi(attributeOf(cell, "colspan"))
	if err != nil || span < 1 {
		return 1
	}
	return min(span, maxColumns)
}

// writeInline writes the text in n and its marks. label says whether n is in
// the label of a link.
func writeInline(b *strings.Builder, n *html.Node, label bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode && label:
			b.WriteString(inLabel.Replace(c.Data))
		case c.Type == html.TextNode:
			b.WriteString(inText.Replace(c.Data))
		case c.Data == "br":
			b.WriteByte('\n')
		case c.Data == "strong":
			b.WriteString("**")
			writeInline(b, c, label)
			b.WriteString("**")
		case c.Data == "em":
			b.WriteString("*")
			writeInline(b, c, label)
			b.WriteString("*")
		case c.Data == "code":
			text := textOf(c)
			fence := fenceFor(text, 1)
			b.WriteString(fence + text + fence)
		case c.Data == "bare":
			b.WriteString(textOf(c))
		case c.Data == "a":
			writeLink(b, c)
		}
	}
}

var (
	inText  = strings.NewReplacer("![", `!\[`, "](", `]\(`)
	inLabel = strings.NewReplacer("[", `\[`, "]", `\]`)
)

// writeLink writes a link with its exact target: signed addresses must not be
// normalised.
func writeLink(b *strings.Builder, n *html.Node) {
	if strings.HasSuffix(b.String(), "!") {
		b.WriteByte(' ') // otherwise it would be an image
	}
	b.WriteByte('[')
	writeInline(b, n, true)
	b.WriteString("](" + destination(attributeOf(n, "href")) + ")")
}

// destination returns a link target in a form that Markdown reads to its end.
func destination(href string) string {
	if !strings.ContainsAny(href, " ()<>") {
		return href
	}
	return "<" + strings.NewReplacer("<", "%3C", ">", "%3E").Replace(href) + ">"
}

var ticks = lazyregexp.New("`+")

// fenceFor returns a run of at least minLength backticks that the text does not
// contain.
func fenceFor(text string, minLength int) string {
	longest := minLength - 1
	for _, run := range ticks().FindAllString(text, -1) {
		longest = max(longest, len(run))
	}
	return strings.Repeat("`", longest+1)
}
