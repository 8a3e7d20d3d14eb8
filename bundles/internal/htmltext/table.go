package htmltext

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

const (
	maxColumns = 30
	maxCell    = 300 // characters; more is a column of a page, not of a table
)

// table shows n as a table if it holds data, and otherwise only its content.
func (p *page) table(n *html.Node, l computedStyle, depth int) {
	rows, isData := dataRows(n)
	if p.flat > 0 || !isData {
		p.blockOf(n, l, depth, p.paragraph)
		return
	}
	table := &html.Node{Type: html.ElementNode, Data: "table"}
	p.fillBlock(table, func() {
		for _, r := range rows {
			p.row(table, r, l, depth)
		}
	})
}

// row fills a row from the cells of r. The style of the elements around the
// cells applies to them too.
func (p *page) row(table *html.Node, r *html.Node, l computedStyle, depth int) {
	if group := r.Parent; group != nil && group.Data != "table" {
		var hidden bool
		if l, _, hidden = l.child(group, p.sheet.style(group, depth)); hidden {
			p.countHidden(r)
			return
		}
	}
	l, _, hidden := l.child(r, p.sheet.style(r, depth))
	if hidden {
		p.countHidden(r)
		return
	}
	row := &html.Node{Type: html.ElementNode, Data: "tr"}
	for _, c := range cells(r) {
		look, _, hidden := l.child(c, p.sheet.style(c, depth))
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
		p.flat++
		p.children(c, look, depth+2)
		p.flush()
		p.flat--
		p.box = table
		p.paragraph()
	}
	if row.FirstChild != nil {
		table.AppendChild(row)
	}
}

// dataRows returns a table's rows, and whether they are data. Data has two or
// more rows and columns, short cells and no empty column, or a head or caption
// that says so.
func dataRows(table *html.Node) (rows []*html.Node, isData bool) {
	role := strings.ToLower(attributeOf(table, "role"))
	marked := false
	for below := range table.Descendants() {
		if below.Type != html.ElementNode {
			continue
		}
		switch below.Data {
		case "table", "ul", "ol", "blockquote", "pre", "hr", "h1", "h2", "h3", "h4", "h5", "h6":
			return nil, false
		case "th", "thead":
			marked = true
		case "tr":
			rows = append(rows, below)
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
			if text > maxCell || width >= maxColumns || !marked && hasSeveralBlocks(cell) {
				return nil, false
			}
			if text > 0 {
				filled[width]++
			}
			width += spanOf(cell)
		}
		if i > 0 && !marked && width != columns || width > maxColumns {
			return nil, false
		}
		columns = max(columns, width)
	}
	if columns < 2 {
		return nil, false
	}
	for _, n := range filled[:columns] {
		if n == 0 && !marked {
			return nil, false
		}
	}
	return rows, true
}

// hasSeveralBlocks reports whether a cell has several blocks or lines, as in a page
// layout.
func hasSeveralBlocks(cell *html.Node) bool {
	blocks := 0
	for below := range cell.Descendants() {
		if below.Type == html.ElementNode && (below.Data == "br" || isBlock(below.Data)) {
			blocks++
		}
	}
	return blocks > 2
}

func cells(row *html.Node) []*html.Node {
	var all []*html.Node
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (c.Data == "td" || c.Data == "th") {
			all = append(all, c)
		}
	}
	return all
}
