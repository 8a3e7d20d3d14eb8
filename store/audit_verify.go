package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// An AuditReport says whether the audit log is unchanged since it was written.
type AuditReport struct {
	Rows       int64           `json:"rows"`
	Last       AuditCheckpoint `json:"head"`       // the last row
	Tampering  []Tampering     `json:"tampering"`  // in the order of the rows; at most 100
	Unfinished []AuditRow      `json:"unfinished"` // intents without outcome; they are not tampering: the process ended too early, or is still running

	PrunedTo          int64  `json:"pruned,omitempty"`  // the last row that Prune removed, according to a later row; 0 for none
	CheckpointLost    int64  `json:"renoted,omitempty"` // the last row that records a missing checkpoint file; 0 for none
	CheckpointProblem string `json:"unnoted,omitempty"` // why missing rows at the end cannot be detected; "" if they can
}

// A Tampering is a difference between the log and what was written.
type Tampering struct {
	Seq     int64  `json:"seq"` // the row that shows it; 0 for the log as a whole
	Finding string `json:"what"`
}

// maxTampering limits a report: in a rewritten log every row is wrong.
const maxTampering = 100

// An AuditChecker checks the rows of an audit log. Add the rows in the order of their numbers.
type AuditChecker struct {
	report      AuditReport
	last        AuditRow
	rowsByHash  map[AuditHash]int64 // row numbers by hash
	unfinished  map[string]AuditRow // intents by their calls
	unchained   []unchainedRow
	checkpoints []AuditCheckpoint // the rows that the log must contain
	prunedTo    []AuditCheckpoint // the last removed row, from each row of Prune
}

// An unchainedRow is a row whose Prev is not the hash of the row before it.
type unchainedRow struct{ row, previous AuditRow }

// NewAuditChecker returns a checker for a log that must include these checkpoints. It ignores
// checkpoints whose Seq is 0.
func NewAuditChecker(settled ...AuditCheckpoint) *AuditChecker {
	return &AuditChecker{rowsByHash: map[AuditHash]int64{}, unfinished: map[string]AuditRow{}, checkpoints: settled}
}

// Add checks the next row.
func (c *AuditChecker) Add(row AuditRow) {
	c.report.Rows++
	if row.Sum() != row.Hash {
		c.Report(row.Seq, "row %d (%s of %s) was edited", row.Seq, row.Phase, row.Tool)
	}
	switch {
	case row.Prev != c.last.Hash:
		c.unchained = append(c.unchained, unchainedRow{row, c.last})
	case row.Seq != c.last.Seq+1:
		c.Report(row.Seq, "row %d was row %d: its number was changed", row.Seq, c.last.Seq+1)
	}
	c.rowsByHash[row.Hash] = row.Seq
	c.recordPrune(row)
	if row.Tool == CheckpointTool && row.Phase == PhaseIntent {
		c.report.CheckpointLost = row.Seq
	}
	switch row.Phase {
	case PhaseIntent:
		c.unfinished[row.Call] = row
	case PhaseOutcome:
		delete(c.unfinished, row.Call)
	}
	c.last = row
}

// Report adds a Tampering.
func (c *AuditChecker) Report(seq int64, format string, args ...any) {
	c.report.Tampering = append(c.report.Tampering, Tampering{seq, fmt.Sprintf(format, args...)})
}

// Result returns the result for all added rows.
func (c *AuditChecker) Result() AuditReport {
	for _, s := range c.unchained {
		c.reportUnchained(s.row, s.previous)
	}
	c.unchained = nil
	c.verifyCheckpoints()
	v := c.report
	v.Last = AuditCheckpoint{c.last.Seq, c.last.Hash}
	v.Unfinished = slices.SortedFunc(maps.Values(c.unfinished), func(a, b AuditRow) int { return cmp.Compare(a.Seq, b.Seq) })
	slices.SortStableFunc(v.Tampering, func(a, b Tampering) int { return cmp.Compare(a.Seq, b.Seq) })
	v.Tampering = append([]Tampering{}, v.Tampering[:min(len(v.Tampering), maxTampering)]...)
	return v
}

// reportUnchained reports why a row does not follow the row before it: rows were removed, inserted,
// moved or rewritten.
func (c *AuditChecker) reportUnchained(row, before AuditRow) {
	follows, there := c.rowsByHash[row.Prev]
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

// verifyCheckpoints reports what the rows alone cannot show: missing last rows, or a log that was
// rewritten from the start.
func (c *AuditChecker) verifyCheckpoints() {
	for _, checkpoint := range c.checkpoints {
		switch {
		case checkpoint.Seq < c.report.PrunedTo || c.rowsByHash[checkpoint.Hash] == checkpoint.Seq:
		case checkpoint.Seq == c.last.Seq+1:
			c.Report(checkpoint.Seq, "row %d was removed from the end", checkpoint.Seq)
		case checkpoint.Seq > c.last.Seq:
			c.Report(checkpoint.Seq, "rows %d to %d were removed from the end", c.last.Seq+1, checkpoint.Seq)
		default:
			c.Report(checkpoint.Seq, "row %d is not the one that was noted: the log was written anew up to there", checkpoint.Seq)
		}
	}
	c.checkpoints = nil
}

// recordPrune records the last removed row if the row is one of Prune.
func (c *AuditChecker) recordPrune(row AuditRow) {
	checkpoint := AuditCheckpoint{}
	if row.Tool == PruneTool && row.Phase == PhaseIntent && json.Unmarshal([]byte(row.Args), &checkpoint) == nil {
		c.prunedTo = append(c.prunedTo, checkpoint)
	}
}

// wasPruned reports whether a later row records that the rows before this one were pruned.
func (c *AuditChecker) wasPruned(first AuditRow) bool {
	for _, checkpoint := range c.prunedTo {
		if checkpoint.Seq == first.Seq-1 && checkpoint.Hash == first.Prev {
			c.report.PrunedTo, c.rowsByHash[checkpoint.Hash] = checkpoint.Seq, checkpoint.Seq
			return true
		}
	}
	return false
}
