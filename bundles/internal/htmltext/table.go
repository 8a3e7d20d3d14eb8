package htmltext

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

const (
	maxColumns = 30
	maxCell    = 300 // characters; a longer cell belongs to a page layout
)

// table shows n as a table if it holds data, and otherwise only its content.
func (p *page) table(n *html.Node, style computedStyle, depth int) {
	rows, isData := dataRows(n)
	if p.flat > 0 || !isData {
		p.blockOf(n, style, depth, p.paragraph)
		return
	}
	table := &html.Node{Type: html.ElementNode, Data: "table"}
	p.fillBlock(table, func() {
		for _, r := range rows {
			p.row(table, r, style, depth)
		}
	})
}

// row adds a row with the cells of r to the table. Cells inherit the style of
// their row and row group.
func (p *page) row(table *html.Node, r *html.Node, style computedStyle, depth int) {
	if group := r.Parent; group != nil && group.Data != "table" {
		var hidden bool
		if style, _, hidden = style.child(group, p.sheet.style(group, depth)); hidden {
			p.countHidden(r)
			return
		}
	}
	style, _, hidden := style.child(r, p.sheet.style(r, depth))
	if hidden {
		p.countHidden(r)
		return
	}
	row := &html.Node{Type: html.ElementNode, Data: "tr"}
	for _, c := range cells(r) {
		cellStyle, _, hidden := style.child(c, p.sheet.style(c, depth))
		if hidden {
			p.countHidden(c)
			continue
		}
		cell := &html.Node{Type: html.ElementNode, Data: c.Data}
		if span := spanOf(c); span > 1 {
			cell.Attr = []html.Attribute{{Key: "colspan", Val: strconv.Itoa(span)}}
		}
		row.AppendChild(cell)
		p.paragraph()
		p.box = cell
		p.flat++                          // a block in a cell becomes only a space
		p.children(c, cellStyle, depth+2) // a cell is at least two levels below its table
		p.flush()
		p.flat--
		p.box = table
		p.paragraph()
	}
	if row.FirstChild != nil {
		table.AppendChild(row)
	}
}

// dataRows returns the rows of a table if it holds data, and otherwise nil and
// false. A data table has at least two rows, 2 to 30 columns and short cells.
// It contains no tables, lists, quotes, headings, <pre> or <hr>, and its role
// is not presentation or none. A table without th or thead must also have rows
// of equal width and no empty column. Its cells must not look like a page
// layout.
func dataRows(table *html.Node) (rows []*html.Node, isData bool) {
	role := strings.ToLower(attributeOf(table, "role"))
	hasHead := false
	for descendant := range table.Descendants() {
		if descendant.Type != html.ElementNode {
			continue
		}
		switch descendant.Data {
		case "table", "ul", "ol", "blockquote", "pre", "hr", "h1", "h2", "h3", "h4", "h5", "h6":
			return nil, false
		case "th", "thead":
			hasHead = true
		case "tr":
			rows = append(rows, descendant)
		}
	}
	if len(rows) < 2 || role == "presentation" || role == "none" {
		return nil, false
	}
	filled := make([]int, maxColumns)
	columns := 0
	for i, row := range rows {
		width := 0
		for _, cell := range cells(row) {
			text := visibleLength(textOf(cell))
			if text > maxCell || width >= maxColumns || !hasHead && hasSeveralBlocks(cell) {
				return nil, false
			}
			if text > 0 {
				filled[width]++
			}
			width += spanOf(cell)
		}
		if i > 0 && !hasHead && width != columns || width > maxColumns {
			return nil, false
		}
		columns = max(columns, width)
	}
	if columns < 2 {
		return nil, false
	}
	for _, n := range filled[:columns] {
		if n == 0 && !hasHead {
			return nil, false
		}
	}
	return rows, true
}

// hasSeveralBlocks reports whether the blocks and line breaks in a cell are more
// than two in total, as in a page layout.
func hasSeveralBlocks(cell *html.Node) bool {
	blocks := 0
	for descendant := range cell.Descendants() {
		if descendant.Type == html.ElementNode && (descendant.Data == "br" || isBlock(descendant.Data)) {
			blocks++
		}
	}
	return blocks > 2
}

func cells(row *html.Node) []*html.Node {
	var found []*html.Node
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (c.Data == "td" || c.Data == "th") {
			found = append(found, c)
		}
	}
	return found
}
