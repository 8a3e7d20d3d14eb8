package markdown

import (
	"strings"

	"kota/bundles/internal/lazyregexp"
)

// ruler matches the line below the head of a table.
var ruler = lazyregexp.New(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)

// isTable reports whether lines begin a GitHub table: a head and a ruler with
// the same number of columns.
func isTable(lines []string) bool {
	return len(lines) > 1 && strings.Contains(lines[0], "|") && strings.Contains(lines[1], "|") && ruler().MatchString(lines[1]) && len(cells(lines[0])) == len(cells(lines[1]))
}

// table writes a table. Its columns are left-aligned: mail shows them best that way.
func (w *writer) table(lines []string) []string {
	w.WriteString("<table style=\"border-collapse:collapse\">\n")
	w.row(lines[0], "th")
	end := 2
	for end < len(lines) && strings.Contains(lines[end], "|") && strings.TrimSpace(lines[end]) != "" {
		w.row(lines[end], "td")
		end++
	}
	w.WriteString("</table>\n")
	return lines[end:]
}

func (w *writer) row(line, tag string) {
	w.WriteString("<tr>")
	for _, cell := range cells(line) {
		w.WriteString("<" + tag + " style=\"border:1px solid #ccc;padding:2px 8px;text-align:left\">")
		w.inline(cell, 0)
		w.WriteString("</" + tag + ">")
	}
	w.WriteString("</tr>\n")
}

// cells splits a row at the bars that have no backslash.
func cells(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var found []string
	start := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			found = append(found, strings.TrimSpace(line[start:i]))
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(line[start:]); rest != "" {
		found = append(found, rest)
	}
	return found
}
