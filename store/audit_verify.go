package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// A Verdict says whether the audit log is unchanged since it was written.
type Verdict struct {
	Rows       int64       `json:"rows"`
	Head       AuditHead   `json:"head"`       // the last row
	Tampering  []Tampering `json:"tampering"`  // in the order of the rows; at most 100
	Unfinished []AuditRow  `json:"unfinished"` // intents without outcome; this is no tampering: the process ended too early, or is still running

	Pruned  int64  `json:"pruned,omitempty"`  // the last row that was removed on purpose, according to a later row; 0 for none
	Renoted int64  `json:"renoted,omitempty"` // the last row that says that the note of the log's end was missing; 0 for none
	Unnoted string `json:"unnoted,omitempty"` // why missing rows at the end cannot be detected; "" if they can
}

// A Tampering is a place where the log differs from what was written.
type Tampering struct {
	Seq  int64  `json:"seq"` // the row where it shows; 0 for the log as a whole
	What string `json:"what"`
}

// maxTampering limits a verdict: in a rewritten log every row is wrong.
const maxTampering = 100

// A Checker checks the rows of an audit log. They are added in the order of their numbers.
type Checker struct {
	verdict Verdict
	last    AuditRow
	places  map[AuditHash]int64 // row numbers by hash
	open    map[string]AuditRow // intents by their calls
	strays  []stray
	settled []AuditHead // that the rows must confirm
	prunes  []AuditHead // what rows say was removed before them
}

// A stray is a row that does not follow the one before it.
type stray struct{ row, before AuditRow }

// NewChecker returns a checker for a log that must include these heads. It ignores heads whose
// Seq is 0.
func NewChecker(settled ...AuditHead) *Checker {
	return &Checker{places: map[AuditHash]int64{}, open: map[string]AuditRow{}, settled: settled}
}

// Add checks the next row.
func (c *Checker) Add(row AuditRow) {
	c.verdict.Rows++
	if row.Sum() != row.Hash {
		c.Report(row.Seq, "row %d (%s of %s) was edited", row.Seq, row.Phase, row.Tool)
	}
	switch {
	case row.Prev != c.last.Hash:
		c.strays = append(c.strays, stray{row, c.last})
	case row.Seq != c.last.Seq+1:
		c.Report(row.Seq, "row %d was row %d: its number was changed", row.Seq, c.last.Seq+1)
	}
	c.places[row.Hash] = row.Seq
	c.pruned(row)
	if row.Tool == HeadTool && row.Phase == Intent {
		c.verdict.Renoted = row.Seq
	}
	switch row.Phase {
	case Intent:
		c.open[row.Call] = row
	case Outcome:
		delete(c.open, row.Call)
	}
	c.last = row
}

// Report adds a place where the log differs from what was written.
func (c *Checker) Report(seq int64, format string, args ...any) {
	c.verdict.Tampering = append(c.verdict.Tampering, Tampering{seq, fmt.Sprintf(format, args...)})
}

// Verdict returns the result for all added rows.
func (c *Checker) Verdict() Verdict {
	for _, s := range c.strays {
		c.place(s.row, s.before)
	}
	c.strays = nil
	c.holdToHeads()
	v := c.verdict
	v.Head = AuditHead{c.last.Seq, c.last.Hash}
	v.Unfinished = slices.SortedFunc(maps.Values(c.open), func(a, b AuditRow) int { return cmp.Compare(a.Seq, b.Seq) })
	slices.SortStableFunc(v.Tampering, func(a, b Tampering) int { return cmp.Compare(a.Seq, b.Seq) })
	v.Tampering = append([]Tampering{}, v.Tampering[:min(len(v.Tampering), maxTampering)]...)
	return v
}

// place reports how a stray row came to its place.
func (c *Checker) place(row, before AuditRow) {
	follows, there := c.places[row.Prev]
	switch {
	case before.Seq == 0 && c.wasPruned(row):
	case there && follows >= row.Seq:
		c.Report(row.Seq, "row %d stands before row %d, which it followed: they were put in another order", row.Seq, follows)
	case row.Prev == AuditHash{}:
		c.Report(row.Seq, "row %d was the first: what stands before it was inserted", row.Seq)
	case there:
		c.Report(row.Seq, "row %d followed row %d: what stands between them was inserted or moved there", row.Seq, follows)
	case row.Seq == before.Seq+2:
		c.Report(row.Seq, "row %d was removed", before.Seq+1)
	case row.Seq > before.Seq+2:
		c.Report(row.Seq, "rows %d to %d were removed", before.Seq+1, row.Seq-1)
	case before.Seq == 0:
		c.Report(row.Seq, "what stood before row %d was removed", row.Seq)
	default:
		c.Report(row.Seq, "row %d does not follow row %d as it is: that was rewritten, or rows between them were removed", row.Seq, before.Seq)
	}
}

// holdToHeads reports what the rows alone do not show: missing last rows, or a log that was
// rewritten from the start.
func (c *Checker) holdToHeads() {
	for _, head := range c.settled {
		switch {
		case head.Seq < c.verdict.Pruned || c.places[head.Hash] == head.Seq:
		case head.Seq == c.last.Seq+1:
			c.Report(head.Seq, "row %d was removed from the end", head.Seq)
		case head.Seq > c.last.Seq:
			c.Report(head.Seq, "rows %d to %d were removed from the end", c.last.Seq+1, head.Seq)
		default:
			c.Report(head.Seq, "row %d is not the one that was noted: the log was written anew up to there", head.Seq)
		}
	}
	c.settled = nil
}

// pruned records which rows a row says were removed before it.
func (c *Checker) pruned(row AuditRow) {
	head := AuditHead{}
	if row.Tool == PruneTool && row.Phase == Intent && json.Unmarshal([]byte(row.Args), &head) == nil {
		c.prunes = append(c.prunes, head)
	}
}

// wasPruned reports whether a later row says that the rows before this one were pruned.
func (c *Checker) wasPruned(first AuditRow) bool {
	for _, head := range c.prunes {
		if head.Seq == first.Seq-1 && head.Hash == first.Prev {
			c.verdict.Pruned, c.places[head.Hash] = head.Seq, head.Seq
			return true
		}
	}
	return false
}
