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
func (a *app) printTable(rows [][]string) error { return writeTable(a.stdout, rows) }

// writeTable is printTable to somewhere else.
func writeTable(to io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = bundles.VisibleLine(cell)
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}
