package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"kota/bundles"
)

// printTable prints rows in columns. Whatever a cell says, it stays on its line
// and no terminal obeys it.
func (t terminal) printTable(rows [][]string) error {
	visible := make([][]string, 0, len(rows))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = bundles.VisibleLine(cell)
		}
		visible = append(visible, cells)
	}
	return writeTable(t.stdout, visible)
}

// writeTable writes rows whose cells are visible lines already.
func writeTable(to io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}
