package main

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// screen is the content of a terminal: the lines of a session.
type screen struct {
	title string
	lines []line
}

// line is one row of a screen.
type line struct {
	text   string
	prompt bool    // whether the user typed it
	at     float64 // when it appears, in seconds after the start
}

// The size of a screen, in units of the picture unless the comment says
// otherwise.
const (
	columns    = 104 // characters in a line
	charWidth  = 843 // hundredths of a unit
	lineHeight = 20
	padding    = 16
	titleBar   = 36
)

// svg draws the screen as an SVG picture. An animated picture shows its lines
// one after the other; viewers without animation show all of them.
func (s screen) svg(animated bool) string {
	height := titleBar + 2*padding + lineHeight*len(s.lines)
	width := columns*charWidth/100 + 2*padding
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #c9d1d9; white-space: pre }
.prompt { fill: #7ee787 }
.title { fill: #8b949e; font-size: 13px }
@keyframes appear { from { opacity: 0 } to { opacity: 1 } }
.later { animation: appear .2s both }
@media (prefers-reduced-motion: reduce) { .later { animation: none } }
</style>
<rect width="%[1]d" height="%[2]d" rx="8" fill="#0d1117" stroke="#30363d"/>
<circle cx="20" cy="18" r="5" fill="#ff5f57"/><circle cx="38" cy="18" r="5" fill="#febc2e"/><circle cx="56" cy="18" r="5" fill="#28c840"/>
<text class="title" x="%[4]d" y="23" text-anchor="middle">%[3]s</text>
`, width, height, html.EscapeString(s.title), width/2)
	for i, l := range s.lines {
		var classes []string
		if l.prompt {
			classes = append(classes, "prompt")
		}
		var style string
		if animated {
			classes = append(classes, "later")
			style = fmt.Sprintf(` style="animation-delay:%.1fs"`, l.at)
		}
		fmt.Fprintf(&b, `<text class="%s"%s x="%d" y="%d" xml:space="preserve">%s</text>`+"\n",
			strings.Join(classes, " "), style, padding, titleBar+padding+lineHeight*i+14, html.EscapeString(l.text))
	}
	return b.String() + "</svg>\n"
}

// wrap divides a text into rows of at most columns characters.
func wrap(text string) []string {
	var rows []string
	for row := range strings.Lines(text) {
		row = strings.TrimRight(row, "\r\n")
		for utf8.RuneCountInString(row) > columns {
			runes := []rune(row)
			rows = append(rows, string(runes[:columns]))
			row = string(runes[columns:])
		}
		rows = append(rows, row)
	}
	return rows
}
