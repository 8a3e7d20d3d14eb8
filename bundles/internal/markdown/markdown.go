// Package markdown converts Markdown, as assistants and people write it, to
// HTML for mail: paragraphs, lists, headings, quotes, code, emphasis and links.
// It implements a part of CommonMark, with GitHub's tables and bare URLs as
// links. A line break stays, because people mean it in mail.
package markdown

import (
	"html"
	"strings"

	"kota/bundles/internal/lazyregexp"
)

// maxDepth limits nested lists, quotes and emphasis; deeper ones stay text.
const maxDepth = 12

// HTML returns the text as HTML. The HTML contains the text without its marks, escaped.
// The tags are p, br, strong, em, code, pre, h1 to h6, ul, ol, li, blockquote,
// hr, table, tr, th, td, a and img. Links keep their exact address and lead to
// http, https, mailto or tel; images are files of the mail itself (cid). Raw
// HTML is text.
func HTML(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	var w writer
	w.blocks(strings.Split(text, "\n"), 0)
	return w.String()
}

type writer struct{ strings.Builder }

var (
	heading = lazyregexp.New(`^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$`)
	rule    = lazyregexp.New(`^ {0,3}(-{3,}|\*{3,}|_{3,})[ \t]*$`)
	fence   = lazyregexp.New("^ {0,3}(`{3,}|~{3,})[^`]*$")
	item    = lazyregexp.New(`^( {0,3})([-*+]|\d{1,9}[.)])( +|\t|$)`)
	quoted  = lazyregexp.New(`^ {0,3}> ?`)
)

// blocks writes lines as blocks. It writes rules and headings itself. For
// each other kind of block it calls a function that writes the block at the
// start of lines and returns the lines after it.
func (w *writer) blocks(lines []string, depth int) {
	for len(lines) > 0 {
		line := lines[0]
		switch {
		case strings.TrimSpace(line) == "":
			lines = lines[1:]
		case fence().MatchString(line):
			lines = w.code(lines)
		case rule().MatchString(line):
			w.WriteString("<hr>\n")
			lines = lines[1:]
		case heading().MatchString(line):
			parts := heading().FindStringSubmatch(line)
			level := string(rune('0' + len(parts[1])))
			w.WriteString("<h" + level + ">")
			w.inline(parts[2], 0)
			w.WriteString("</h" + level + ">\n")
			lines = lines[1:]
		case depth < maxDepth && quoted().MatchString(line):
			lines = w.quote(lines, depth)
		case depth < maxDepth && item().MatchString(line):
			lines = w.list(lines, depth)
		case isTable(lines):
			lines = w.table(lines)
		default:
			lines = w.paragraph(lines, depth)
		}
	}
}

// code writes a fenced block; without an end it takes all lines.
func (w *writer) code(lines []string) []string {
	marker := fence().FindStringSubmatch(lines[0])[1]
	end := 1
	for end < len(lines) && !closes(lines[end], marker) {
		end++
	}
	w.WriteString("<pre><code>" + html.EscapeString(strings.Join(lines[1:end], "\n")) + "</code></pre>\n")
	return lines[min(end+1, len(lines)):]
}

func closes(line, marker string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= len(marker) && strings.Trim(line, marker[:1]) == ""
}

func (w *writer) quote(lines []string, depth int) []string {
	end := 0
	var inner []string
	for end < len(lines) && quoted().MatchString(lines[end]) {
		inner = append(inner, lines[end][len(quoted().FindString(lines[end])):])
		end++
	}
	w.openQuote()
	w.blocks(inner, depth+1)
	w.closeQuote()
	return lines[end:]
}

func (w *writer) openQuote() {
	w.WriteString("<blockquote style=\"margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex\">\n")
}

func (w *writer) closeQuote() { w.WriteString("</blockquote>\n") }

// list writes consecutive items with the same kind of marker.
func (w *writer) list(lines []string, depth int) []string {
	first := item().FindStringSubmatch(lines[0])
	kind, start := "ul", ""
	if number := strings.TrimRight(first[2], ".)"); number != first[2] {
		kind = "ol"
		if number = strings.TrimLeft(number, "0"); number != "1" && number != "" {
			start = ` start="` + number + `"`
		}
	}
	w.WriteString("<" + kind + start + ">\n")
	for len(lines) > 0 {
		marker := item().FindStringSubmatch(lines[0])
		if marker == nil || rule().MatchString(lines[0]) || last(marker[2]) != last(first[2]) {
			break
		}
		content, rest := itemLines(lines, len(marker[1])+len(marker[2])+1)
		w.item(content, depth)
		lines = rest
	}
	w.WriteString("</" + kind + ">\n")
	return lines
}

func last(s string) byte { return s[len(s)-1] }

// itemLines returns an item's lines without the indent, and the lines after the
// item. A line belongs to the item if it is indented, or if it follows text and
// begins no block.
func itemLines(lines []string, indent int) (content, rest []string) {
	content = []string{strings.TrimLeft(lines[0][min(indent, len(lines[0])):], " \t")}
	for i, line := range lines[1:] {
		blank := strings.TrimSpace(line) == ""
		indented := leading(line) >= 2
		switch {
		case blank && followed(lines[i+2:], 2):
			content = append(content, "")
		case indented:
			content = append(content, line[min(leading(line), indent):])
		case blank, beginsBlock(line), content[len(content)-1] == "":
			return content, skipBlankBeforeItem(lines[i+1:])
		default:
			content = append(content, line)
		}
	}
	return content, nil
}

// followed reports whether the next line with text is at most 20 lines away and
// indented by at least minIndent.
func followed(lines []string, minIndent int) bool {
	for _, line := range lines[:min(len(lines), 20)] {
		if strings.TrimSpace(line) != "" {
			return leading(line) >= minIndent
		}
	}
	return false
}

// skipBlankBeforeItem drops empty lines at the start if an item follows them:
// the list continues.
func skipBlankBeforeItem(lines []string) []string {
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if item().MatchString(line) {
			return lines[i:]
		}
		break
	}
	return lines
}

func leading(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// beginsBlock reports whether a line begins a block other than a paragraph or a
// table.
func beginsBlock(line string) bool {
	return fence().MatchString(line) || rule().MatchString(line) || heading().MatchString(line) || quoted().MatchString(line) || item().MatchString(line)
}

// item writes one item: its first lines as text, and the rest as blocks.
func (w *writer) item(content []string, depth int) {
	w.WriteString("<li>")
	end := 0
	for end < len(content) && content[end] != "" && !beginsBlock(content[end]) {
		end++
	}
	w.lines(content[:end])
	if end < len(content) {
		w.WriteString("\n")
		w.blocks(content[end:], depth+1)
	}
	w.WriteString("</li>\n")
}

func (w *writer) paragraph(lines []string, depth int) []string {
	end := 1
	for end < len(lines) && strings.TrimSpace(lines[end]) != "" && (depth >= maxDepth || !interrupts(lines[end])) && !isTable(lines[end:]) {
		end++
	}
	w.WriteString("<p>")
	w.lines(lines[:end])
	w.WriteString("</p>\n")
	return lines[end:]
}

// interrupts reports whether a line ends a paragraph without an empty line
// before it. An item does so only if it has text. The number of a numbered item
// must be 1, because "2026. That" is part of a sentence.
func interrupts(line string) bool {
	marker := item().FindStringSubmatch(line)
	if marker == nil {
		return beginsBlock(line)
	}
	text := strings.TrimSpace(line[len(marker[0]):])
	return text != "" && (len(marker[2]) == 1 || strings.Trim(marker[2], ".)") == "1")
}

// lines writes lines of text with their breaks.
func (w *writer) lines(lines []string) {
	w.inline(strings.TrimSpace(strings.Join(lines, "\n")), 0)
}
