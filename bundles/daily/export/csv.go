package export

import (
	"cmp"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"kota/bundles/internal/htmltext"
	"kota/metadata"
	"kota/store"
)

// A csvWriter writes the entries as CSV with a header line. It follows RFC
// 4180, but lines end with a newline alone.
type csvWriter struct {
	*csv.Writer
	err error
}

func newCSVWriter(w io.Writer) *csvWriter { return &csvWriter{Writer: csv.NewWriter(w)} }

func (c *csvWriter) begin(title string) {
	if title == "entries" {
		c.line("id", "date", "at", "zone", "type", "section", "text", "mood", "energy", "metrics", "tags", "links", "backfilled")
	}
}

func (c *csvWriter) entry(e *store.DayEntry) {
	metrics := ""
	if len(e.Metrics) > 0 {
		raw, err := metadata.Plain(e.Metrics)
		metrics, c.err = string(raw), cmp.Or(c.err, err)
	}
	c.line(e.ID, e.Date, formatTime(e), e.Zone, e.Type, e.Section, e.Text, formatScale(e.Mood), formatScale(e.Energy), metrics,
		strings.Join(e.Tags, ", "), strings.Join(e.Links, ", "), strconv.FormatBool(e.Backfilled))
}

func (c *csvWriter) task(*store.Task)         {}
func (c *csvWriter) document(*store.Document) {}

// line writes the cells of a line. It puts an apostrophe before a cell that a spreadsheet
// would run as a formula, so that the spreadsheet shows it as text.
func (c *csvWriter) line(cells ...string) {
	for i, cell := range cells {
		cell, _ = htmltext.Text(cell)
		cells[i] = cell
		if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
			cells[i] = "'" + cell
		}
	}
	c.err = cmp.Or(c.err, c.Write(cells))
}

func (c *csvWriter) end() error {
	c.Flush()
	return cmp.Or(c.err, c.Error())
}

// formatScale returns a mood or an energy as text, or "" if it is not set.
func formatScale(value int) string {
	if value == 0 {
		return ""
	}
	return strconv.Itoa(value)
}
