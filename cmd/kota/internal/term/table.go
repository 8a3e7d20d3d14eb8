package term

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"kota/bundles"
)

// PrintTable prints rows in columns. A cell stays on its line and cannot send
// control sequences to the terminal.
func (t Terminal) PrintTable(rows [][]string) error {
	visible := make([][]string, 0, len(rows))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = bundles.VisibleLine(cell)
		}
		visible = append(visible, cells)
	}
	return WriteTable(t.Stdout, visible)
}

// WriteTable writes rows whose cells are already safe for a terminal.
func WriteTable(to io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}
