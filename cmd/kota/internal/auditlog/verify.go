package auditlog

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
	"kota/store"
)

var (
	errTampered     = errors.New("the audit log was changed after it was written")
	errMismatch     = errors.New("the audit log does not match your note")
	errNoCheckpoint = errors.New("it is unknown whether rows were removed from the end of the audit log")
)

// readExpected parses the value of --expect, such as "812:9f2c41d07a3b". The
// hash may be shortened. readExpected returns no row for "".
func readExpected(text string) ([]store.NotedRow, error) {
	if text == "" {
		return nil, nil
	}
	number, hash, _ := strings.Cut(text, ":")
	seq, err := strconv.ParseInt(number, 10, 64)
	hash = strings.ToLower(hash)
	switch digits := len(hash); {
	case err != nil || seq < 1 || digits == 0:
		return nil, mistake.Errorf("--expect takes NUMBER:HASH, the last line that `kota audit verify` printed, not %q", text)
	case strings.Trim(hash, "0123456789abcdef") != "":
		return nil, mistake.Errorf("--expect %s: the hash may contain only the digits 0-9 and a-f", text)
	case digits < store.MinNotedDigits:
		return nil, mistake.Errorf("--expect %s: the hash has %s; give at least the first %d", text, metadata.CountOf(digits, "digit"), store.MinNotedDigits)
	case digits > maxDigits:
		return nil, mistake.Errorf("--expect %s: the hash has %d digits; a hash has %d", text, digits, maxDigits)
	}
	return []store.NotedRow{{Seq: seq, HashPrefix: hash}}, nil
}

// maxDigits is the length of a whole hash in hexadecimal.
const maxDigits = 2 * len(store.AuditHash{})

// reportOf checks the log, or the exported file in export if there is one.
func reportOf(ctx context.Context, a *app.App, export []string, heads []store.NotedRow) (store.AuditReport, error) {
	if len(export) == 1 {
		return verifyExport(export[0], heads)
	}
	db, err := a.OpenExisting(ctx)
	switch {
	case errors.Is(err, app.ErrNoDatabase):
		return store.NewAuditChecker(heads...).Result(), nil
	case err != nil:
		return store.AuditReport{}, err
	}
	return app.AuditLog(db).Verify(ctx, heads...)
}

// verifyExport checks the rows of an exported file.
func verifyExport(name string, heads []store.NotedRow) (store.AuditReport, error) {
	file, err := mistake.OpenFile(name)
	if err != nil {
		return store.AuditReport{}, err
	}
	defer file.Close()
	checker := store.NewAuditChecker(heads...)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20) // far larger than any row
	for n := 1; lines.Scan(); n++ {
		row := store.AuditRow{}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			why := err.Error()
			if !json.Valid(lines.Bytes()) {
				why = "it is not a JSON object"
			}
			return store.AuditReport{}, mistake.Errorf("%s: line %d is not a row of an audit log: %s. `kota audit export` writes such a file.", name, n, why)
		}
		checker.Add(row)
	}
	if err := lines.Err(); err != nil {
		return store.AuditReport{}, fmt.Errorf("read %s: %w", name, err)
	}
	return checker.Result(), nil
}

// printReport prints the findings to a writer. unsure says why missing rows at the end cannot be detected, and
// what to do; it is "" if they can.
func printReport(a *app.App, to io.Writer, v store.AuditReport, unsure string) error {
	zone := a.Zone()
	for _, row := range v.Unfinished {
		a.PrintAdvised(to, "Row %d: %s started at %s and has no outcome: KOTA stopped while it ran, or it is still running.%s\n",
			row.Seq, row.Tool, row.At.In(zone).Format("2006-01-02 15:04:05"), unfinishedHint(row))
	}
	if v.PrunedTo > 0 {
		fmt.Fprintf(to, "Rows 1 to %d were removed by `%s`, according to a later row: the file that it wrote contains them.\n", v.PrunedTo, store.PruneTool)
	}
	if v.CheckpointLost > 0 {
		fmt.Fprintf(to, "Row %d: the record of the end of the log was missing and was created again. Rows that were removed from the end before this row cannot be detected.\n", v.CheckpointLost)
	}
	for _, evidence := range v.Tampering {
		fmt.Fprintf(to, "TAMPERED: %s.\n", evidence.Finding)
	}
	switch {
	case len(v.Tampering) > 0:
	case v.Rows == 0:
		fmt.Fprintln(to, "The audit log is empty.")
	case unsure != "":
		fmt.Fprintf(to, "The rows are intact: %d. The last is\n%d:%s\n", v.Rows, v.Last.Seq, v.Last.Hash)
	default:
		fmt.Fprintf(to, "The audit log is intact: %s. The last is\n%d:%s\n", metadata.CountOf(int(v.Rows), "row"), v.Last.Seq, v.Last.Hash)
	}
	if unsure == "" {
		return nil
	}
	_, err := fmt.Fprintf(to, "UNKNOWN: whether rows were removed from the end, because %s\n", unsure)
	return err
}

// unsureOf returns the text for printReport. A database server has no file beside it that records the
// end of the log, so only a row that the user has noted detects missing rows there.
func unsureOf(a *app.App, v store.AuditReport, noted []store.NotedRow) string {
	switch {
	case v.CheckpointProblem == "", a.Config.HasServer() && len(noted) > 0:
		return ""
	case a.Config.HasServer():
		return fmt.Sprintf("%s. Note the last row outside of the server, and give it the next time: `kota audit verify --expect NUMBER:HASH`.", v.CheckpointProblem)
	}
	return v.CheckpointProblem + ". Compare the last row with one you noted.\nDelete the file if it exists; the next change creates it again."
}

// printMismatch says how the log differs from the row that the user noted.
func printMismatch(a *app.App, v store.AuditReport, noted store.NotedRow) error {
	text := fmt.Sprintf("row %d has another hash than you noted. Check the note. If it is right, the log was rewritten.", noted.Seq)
	if noted.Seq > v.Last.Seq {
		text = fmt.Sprintf("the log ends with row %d, before the row %d that you noted. Check the note. If it is right, rows were removed from the end.", v.Last.Seq, noted.Seq)
	}
	_, err := fmt.Fprintf(a.Stdout, "MISMATCH: %s\n", text)
	return err
}

// unfinishedHint says how to find out the outcome of a call.
func unfinishedHint(row store.AuditRow) string {
	if row.Effect == "sends" {
		return " See `kota outbox` for its outcome."
	}
	return " What it wrote until then is stored."
}

// Verify checks the log, or an exported file of it, and prints a report. It
// returns an error if rows were changed, or do not match expect. Without expect, it
// also returns an error if the file is missing that tells whether rows were removed from the end.
func Verify(ctx context.Context, a *app.App, expect string, asJSON bool, export ...string) error {
	if err := a.Load(); err != nil {
		return err
	}
	heads, err := readExpected(expect)
	if err != nil {
		return err
	}
	report, err := reportOf(ctx, a, export, heads)
	if err != nil {
		return err
	}
	mismatch := false // only the note of the user differs
	if len(heads) > 0 && len(report.Tampering) > 0 {
		alone, err := reportOf(ctx, a, export, nil)
		if err != nil {
			return err
		}
		mismatch = len(alone.Tampering) == 0
	}
	switch {
	case asJSON:
		err = a.PrintJSON(report)
	case mismatch:
		err = printMismatch(a, report, heads[0])
	default:
		err = printReport(a, a.Stdout, report, unsureOf(a, report, heads))
	}
	switch {
	case err != nil:
		return err
	case mismatch:
		return errMismatch
	case len(report.Tampering) > 0:
		return errTampered
	case report.CheckpointProblem != "" && len(heads) == 0 && !a.Config.HasServer():
		return errNoCheckpoint
	}
	return nil
}

// Check checks the log and returns the report as text, and whether no row was changed.
func Check(ctx context.Context, a *app.App) (text string, intact bool, err error) {
	report, err := reportOf(ctx, a, nil, nil)
	if err != nil {
		return "", false, err
	}
	var lines strings.Builder
	err = printReport(a, &lines, report, unsureOf(a, report, nil))
	return lines.String(), len(report.Tampering) == 0, err
}
