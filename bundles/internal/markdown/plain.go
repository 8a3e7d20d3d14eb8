package markdown

import (
	"html"
	"strings"
	"unicode/utf8"
)

// Plain converts text to HTML and does not interpret Markdown. Lines and indents
// stay, lines that begin with > become quotes, and URLs become links. The HTML
// contains all of the text, escaped.
func Plain(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	var w writer
	w.plain(strings.Split(text, "\n"), 0)
	return w.String()
}

// plain writes lines as paragraphs and quotes.
func (w *writer) plain(lines []string, depth int) {
	for len(lines) > 0 {
		switch {
		case strings.TrimSpace(lines[0]) == "":
			lines = lines[1:]
		case isQuote(lines[0], depth):
			inner := take(lines, func(line string) bool { return isQuote(line, depth) })
			lines = lines[len(inner):]
			w.openQuote()
			for i, line := range inner {
				inner[i] = strings.TrimPrefix(line[1:], " ")
			}
			w.plain(inner, depth+1)
			w.closeQuote()
		default:
			text := take(lines, func(line string) bool { return strings.TrimSpace(line) != "" && !isQuote(line, depth) })
			lines = lines[len(text):]
			w.WriteString("<p>")
			for i, line := range text {
				if i > 0 {
					w.WriteString("<br>\n")
				}
				w.plainLine(line)
			}
			w.WriteString("</p>\n")
		}
	}
}

func isQuote(line string, depth int) bool { return depth < maxDepth && strings.HasPrefix(line, ">") }

// take returns a copy of the lines before the first that does not fit.
func take(lines []string, fits func(string) bool) []string {
	n := 0
	for n < len(lines) && fits(lines[n]) {
		n++
	}
	return append([]string(nil), lines[:n]...)
}

// plainLine writes one line with its indent and its links.
func (w *writer) plainLine(line string) {
	text := strings.TrimLeft(line, " \t")
	w.WriteString(strings.Repeat("&nbsp;", len(line)-len(text)))
	before := ' '
	for len(text) > 0 {
		c := text[0] | 0x20
		if n := 0; (c == 'h' || c == 'm') && !isWord(before) {
			if n = w.bareURL(text); n > 0 {
				before, _ = utf8.DecodeLastRuneInString(text[:n])
				text = text[n:]
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(text)
		w.WriteString(html.EscapeString(text[:size]))
		before, text = r, text[size:]
	}
}
