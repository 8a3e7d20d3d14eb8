package auditlog

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
	"kota/store"
)

var (
	errTampered     = errors.New("the audit log is not as it was written")
	errNoCheckpoint = errors.New("whether rows were cut off at the end of the audit log is not known")
)

// readExpected parses a row such as "812:9f2c…".
func readExpected(text string) ([]store.AuditCheckpoint, error) {
	if text == "" {
		return nil, nil
	}
	head := store.AuditCheckpoint{}
	number, hash, _ := strings.Cut(text, ":")
	seq, err := strconv.ParseInt(number, 10, 64)
	if err == nil {
		err = head.Hash.UnmarshalText([]byte(hash))
	}
	if err != nil || seq < 1 {
		return nil, mistake.Errorf("--expect takes the number of a row and its hash, as `kota audit verify` prints them last, not %q", text)
	}
	head.Seq = seq
	return []store.AuditCheckpoint{head}, nil
}

func reportOf(ctx context.Context, a *app.App, export []string, heads []store.AuditCheckpoint) (store.AuditReport, error) {
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

// verifyExport checks the rows of a file.
func verifyExport(name string, heads []store.AuditCheckpoint) (store.AuditReport, error) {
	file, err := os.Open(name)
	if err != nil {
		return store.AuditReport{}, mistake.Errorf("%v", err)
	}
	defer file.Close()
	checker := store.NewAuditChecker(heads...)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20) // far larger than any row
	for n := 1; lines.Scan(); n++ {
		row := store.AuditRow{}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return store.AuditReport{}, mistake.Errorf("%s: line %d is no row of an audit log: %v", name, n, err)
		}
		checker.Add(row)
	}
	if err := lines.Err(); err != nil {
		return store.AuditReport{}, fmt.Errorf("read %s: %w", name, err)
	}
	return checker.Result(), nil
}

func printReport(a *app.App, v store.AuditReport) error {
	zone := a.Zone()
	for _, row := range v.Unfinished {
		a.PrintAdvised(a.Stdout, "Row %d: %s began at %s and has no outcome: KOTA was ended meanwhile, or is still at it.%s\n",
			row.Seq, row.Tool, row.At.In(zone).Format("2006-01-02 15:04:05"), unfinishedHint(row))
	}
	if v.PrunedTo > 0 {
		fmt.Fprintf(a.Stdout, "Rows 1 to %d were taken out by `%s`, as a later row says: the file that it wrote has them.\n", v.PrunedTo, store.PruneTool)
	}
	if v.CheckpointLost > 0 {
		fmt.Fprintf(a.Stdout, "Row %d: the note of where the log ends was gone then, and was made anew. Rows that were cut off before it do not show.\n", v.CheckpointLost)
	}
	for _, one := range v.Tampering {
		fmt.Fprintf(a.Stdout, "TAMPERED: %s.\n", one.Finding)
	}
	if v.CheckpointProblem != "" {
		fmt.Fprintf(a.Stdout, "UNKNOWN: %s: rows that were cut off at the end do not show. Compare the last row below with one you noted.\nRemove the file if it is there; the next change notes the end anew.\n", v.CheckpointProblem)
	}
	switch {
	case len(v.Tampering) > 0:
		return nil
	case v.Rows == 0:
		_, err := fmt.Fprintln(a.Stdout, "The audit log is empty.")
		return err
	}
	_, err := fmt.Fprintf(a.Stdout, "The audit log is whole: %s. The last is\n%d:%s\n", metadata.CountOf(int(v.Rows), "row"), v.Last.Seq, v.Last.Hash)
	return err
}

// unfinishedHint says how to find out the outcome of a call.
func unfinishedHint(row store.AuditRow) string {
	if row.Effect == "sends" {
		return " See `kota outbox` for what became of it."
	}
	return " What it wrote by then is kept."
}

// Verify checks the log, or an export of it. It returns an error if rows were
// changed, or if that cannot be determined.
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
	if asJSON {
		err = a.PrintJSON(report)
	} else {
		err = printReport(a, report)
	}
	switch {
	case err != nil:
		return err
	case len(report.Tampering) > 0:
		return errTampered
	case report.CheckpointProblem != "" && len(heads) == 0:
		return errNoCheckpoint
	}
	return nil
}
