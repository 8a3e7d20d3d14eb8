package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An AuditReport says whether the audit log is unchanged since it was written.
type AuditReport struct {
	Rows       int64           `json:"rows"`
	Last       AuditCheckpoint `json:"head"`       // the last row
	Tampering  []Tampering     `json:"tampering"`  // in the order of the rows; at most 100
	Unfinished []AuditRow      `json:"unfinished"` // intents without outcome. This is no tampering: the process ended too early, or is still running

	PrunedTo          int64  `json:"pruned,omitempty"`  // the last row that Prune removed, according to a row of Prune; 0 for none
	CheckpointLost    int64  `json:"renoted,omitempty"` // the last row that records a missing checkpoint file; 0 for none
	CheckpointProblem string `json:"unnoted,omitempty"` // why missing rows at the end cannot be detected; "" if they can
}

// A Tampering is a difference between the log and what was written.
type Tampering struct {
	Seq     int64  `json:"seq"` // the number of the row that shows it; 0: the log as a whole
	Finding string `json:"what"`
}

// maxTampering limits a report: in a rewritten log every row is wrong.
const maxTampering = 100

// An AuditChecker checks the rows of an audit log. Add the rows in the order of their numbers.
type AuditChecker struct {
	report     AuditReport
	last       AuditRow
	rowsByHash map[AuditHash]int64 // row numbers by hash
	unfinished map[string]AuditRow // intents by their calls
	unchained  []unchainedRow
	expected   []NotedRow        // the rows that the log must contain
	prunedTo   []AuditCheckpoint // the last removed rows, as the rows of Prune record them
}

// An unchainedRow is a row whose Prev is not the hash of the row before it.
type unchainedRow struct{ row, previous AuditRow }

// NewAuditChecker returns a checker for a log that must contain these rows.
func NewAuditChecker(expected ...NotedRow) *AuditChecker {
	return &AuditChecker{rowsByHash: map[AuditHash]int64{}, unfinished: map[string]AuditRow{}, expected: expected}
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
		c.Report(row.Seq, "row %d was written as row %d: its number was changed", row.Seq, c.last.Seq+1)
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
	c.verifyExpected()
	v := c.report
	v.Last = AuditCheckpoint{c.last.Seq, c.last.Hash}
	v.Unfinished = slices.SortedFunc(maps.Values(c.unfinished), func(a, b AuditRow) int { return cmp.Compare(a.Seq, b.Seq) })
	slices.SortStableFunc(v.Tampering, func(a, b Tampering) int { return cmp.Compare(a.Seq, b.Seq) })
	v.Tampering = append([]Tampering{}, v.Tampering[:min(len(v.Tampering), maxTampering)]...)
	return v
}

// reportUnchained reports why the Prev of row is not the hash of previous: rows were removed,
// inserted, moved or rewritten. It reports nothing if Prune removed the rows before row.
func (c *AuditChecker) reportUnchained(row, previous AuditRow) {
	prevSeq, known := c.rowsByHash[row.Prev]
	switch {
	case previous.Seq == 0 && c.wasPruned(row):
	case known && prevSeq >= row.Seq:
		c.Report(row.Seq, "row %d was written after row %d: the rows were reordered", row.Seq, prevSeq)
	case row.Prev == AuditHash{}:
		c.Report(row.Seq, "row %d was written as the first row: the rows before it were inserted", row.Seq)
	case known:
		c.Report(row.Seq, "row %d was written directly after row %d: the rows between them were inserted or moved there", row.Seq, prevSeq)
	case row.Seq == previous.Seq+2:
		c.Report(row.Seq, "row %d was removed", previous.Seq+1)
	case row.Seq > previous.Seq+2:
		c.Report(row.Seq, "rows %d to %d were removed", previous.Seq+1, row.Seq-1)
	case previous.Seq == 0:
		c.Report(row.Seq, "the rows before row %d were removed", row.Seq)
	default:
		c.Report(row.Seq, "row %d does not contain the hash of row %d: that row was rewritten, or rows between them were removed", row.Seq, previous.Seq)
	}
}

// verifyExpected reports what the rows alone cannot show: rows missing at the end, or rows
// that were rewritten together with all later hashes.
func (c *AuditChecker) verifyExpected() {
	for _, noted := range c.expected {
		switch {
		case noted.Seq < c.report.PrunedTo || c.contains(noted):
		case noted.Seq == c.last.Seq+1:
			c.Report(noted.Seq, "row %d was removed from the end", noted.Seq)
		case noted.Seq > c.last.Seq:
			c.Report(noted.Seq, "rows %d to %d were removed from the end", c.last.Seq+1, noted.Seq)
		default:
			c.Report(noted.Seq, "row %d does not have the hash that was noted: the log was rewritten up to that row, or the note is wrong", noted.Seq)
		}
	}
	c.expected = nil
}

func (c *AuditChecker) contains(noted NotedRow) bool {
	for hash, seq := range c.rowsByHash {
		if seq == noted.Seq && strings.HasPrefix(hash.String(), noted.HashPrefix) {
			return true
		}
	}
	return false
}

// If Prune wrote row, recordPrune records which row was the last that Prune removed.
func (c *AuditChecker) recordPrune(row AuditRow) {
	checkpoint := AuditCheckpoint{}
	if row.Tool == PruneTool && row.Phase == PhaseIntent && json.Unmarshal([]byte(row.Args), &checkpoint) == nil {
		c.prunedTo = append(c.prunedTo, checkpoint)
	}
}

// wasPruned reports whether a row of Prune records that all rows before first were removed. If
// so, it sets PrunedTo.
func (c *AuditChecker) wasPruned(first AuditRow) bool {
	for _, checkpoint := range c.prunedTo {
		if checkpoint.Seq == first.Seq-1 && checkpoint.Hash == first.Prev {
			c.report.PrunedTo, c.rowsByHash[checkpoint.Hash] = checkpoint.Seq, checkpoint.Seq
			return true
		}
	}
	return false
}
