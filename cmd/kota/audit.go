package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/safefile"
	"kota/metadata"
	"kota/store"
)

func newAudit(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "See what was done, and check that the record of it is whole",
		Long: `See what was done, and check that the record of it is whole. Every call that
changes something, at Google or here, has a row in the audit log before it does
and one after it; so has a call that was to send or to delete for good and was
not let through. Rows are never changed, removed but by ` + "`kota audit prune`" + `, and each
is bound to the one before it. They hold what was called when, how it ended, and whom a mail or an
invitation was to reach; of texts and values the length alone.`,
		Args: noArgs,
	}
	cmd.AddCommand(newAuditList(a), newAuditShow(a), newAuditVerify(a), newAuditExport(a), newAuditPrune(a))
	return cmd
}

// auditFlags narrow what is read of the log.
type auditFlags struct {
	tool, since string
	limit       int
	asJSON      bool
}

func newAuditList(a *app.App) *cobra.Command {
	f := auditFlags{}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the calls of the audit log, newest last",
		Long: `List the calls of the audit log, newest last: what was called when, by which
door, with what, and how it ended.`,
		Example: "  kota audit list\n  kota audit list --tool gmail_send_message --since 2026-11-01\n  kota audit list --limit 1000 --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			calls, err := auditCalls(cmd.Context(), a, f)
			if err != nil {
				return err
			}
			if f.asJSON {
				return a.PrintJSON(map[string]any{"calls": calls})
			}
			return printCalls(a, calls)
		},
	}
	cmd.Flags().StringVar(&f.tool, "tool", "", "only calls of this tool")
	cmd.Flags().StringVar(&f.since, "since", "", `only those from this day or time on: "2026-11-01", "2026-11-01T09:00:00Z"`)
	cmd.Flags().IntVar(&f.limit, "limit", 50, "only so many, the last ones")
	addJSON(&f.asJSON, cmd)
	completeBy(cmd, "tool", completeTools(a))
	return cmd
}

// An auditCall is a call of the log, of one row or two.
type auditCall struct {
	Seq      int64           `json:"seq"` // of its first row
	At       time.Time       `json:"at"`
	Call     string          `json:"call"`
	Tool     string          `json:"tool"`
	Effect   string          `json:"effect"`
	Door     string          `json:"door,omitempty"`
	Args     json.RawMessage `json:"args"`
	Approval string          `json:"approval,omitempty"`
	Code     string          `json:"code,omitempty"` // how it ended; "" while that is not known
	Ended    *time.Time      `json:"ended,omitempty"`
}

// auditCalls joins the rows of the last calls.
func auditCalls(ctx context.Context, a *app.App, f auditFlags) ([]auditCall, error) {
	if f.limit < 1 {
		return nil, mistake.Errorf("--limit takes a number above 0")
	}
	if err := a.Load(); err != nil {
		return nil, err
	}
	since, err := auditDay(a, "since", f.since)
	if err != nil {
		return nil, err
	}
	calls, places := []auditCall{}, map[string]int{}
	for row, err := range auditRows(ctx, a, store.AuditFilter{Owner: app.UsageOwner, Tool: f.tool, Since: since, Last: 2 * f.limit}) {
		if err != nil {
			return nil, err
		}
		if row.Phase != store.Outcome {
			places[row.Call] = len(calls)
			calls = append(calls, callOf(row))
			continue
		}
		if i, ok := places[row.Call]; ok { // else its intent is further back
			calls[i].Code, calls[i].Ended = row.Code, &row.At
			calls[i].Approval = row.Approval
		}
	}
	return calls[max(0, len(calls)-f.limit):], nil
}

func callOf(row store.AuditRow) auditCall {
	args := json.RawMessage(row.Args)
	if !json.Valid(args) {
		args = json.RawMessage("{}")
	}
	return auditCall{
		Seq: row.Seq, At: row.At, Call: row.Call, Tool: row.Tool, Effect: row.Effect, Door: row.Door, Args: args, Approval: row.Approval, Code: row.Code,
	}
}

// auditDay reads the day or the time that a flag takes.
func auditDay(a *app.App, flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, a.Zone()); err == nil {
		return day, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, mistake.Errorf("--%s takes a day such as 2026-11-01 or a time such as 2026-11-01T09:00:00Z, not %q", flag, text)
	}
	return at, nil
}

// auditRows are rows of the log; none where there is no database.
func auditRows(ctx context.Context, a *app.App, f store.AuditFilter) iter.Seq2[store.AuditRow, error] {
	db, err := a.OpenThere(ctx)
	switch {
	case errors.Is(err, app.ErrNoDatabase):
		return func(func(store.AuditRow, error) bool) {}
	case err != nil:
		return func(yield func(store.AuditRow, error) bool) { yield(store.AuditRow{}, err) }
	}
	return app.AuditLog(db).Rows(ctx, f)
}

func printCalls(a *app.App, calls []auditCall) error {
	if len(calls) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "The audit log has no such call.")
		return err
	}
	rows := [][]string{}
	zone := a.Zone()
	for _, c := range calls {
		code := c.Code
		if code == "" {
			code = "(no outcome)"
		}
		rows = append(rows, []string{strconv.FormatInt(c.Seq, 10), c.At.In(zone).Format("2006-01-02 15:04:05"), c.Tool, c.Door, code, c.Approval, string(c.Args)})
	}
	return a.PrintTable(rows)
}

func newAuditShow(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "show NUMBER | CALL",
		Short:   "Show the rows of one call as JSON",
		Long:    "Show the rows of one call as JSON, a row on a line. NUMBER is what `kota audit list` prints first, CALL the id that it gives with --json.",
		Example: "  kota audit show 812\n  kota audit show 3jq5h2x7k6m4n2p8",
		Args:    exactly(1, "the number of a row or the id of a call"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			filter := store.AuditFilter{Call: args[0]}
			if row, err := strconv.ParseInt(args[0], 10, 32); err == nil && row > 0 { // an id is longer
				filter = store.AuditFilter{Row: row}
			}
			n := 0
			for row, err := range auditRows(cmd.Context(), a, filter) {
				if err == nil {
					n++
					err = a.PrintJSON(row)
				}
				if err != nil {
					return err
				}
			}
			if n == 0 {
				return metadata.Errorf(metadata.NotFound, "the audit log has no call %q", args[0]).WithHint("List them with `kota audit list`.")
			}
			return nil
		},
	}
}

func newAuditExport(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "export [FILE | -]",
		Short: "Write the audit log to FILE, or to stdout, as JSON Lines",
		Long: `Write the whole audit log to FILE, or to stdout, a row on a line as JSON. FILE must
not exist and is readable by its owner alone. ` + "`kota audit verify FILE`" + ` checks it.`,
		Example: "  kota audit export audit.jsonl",
		Args:    atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			n := 0
			write := func(w io.Writer) error {
				lines := json.NewEncoder(w)
				lines.SetEscapeHTML(false)
				for row, err := range auditRows(cmd.Context(), a, store.AuditFilter{}) {
					if err == nil {
						n++
						err = lines.Encode(row)
					}
					if err != nil {
						return err
					}
				}
				return nil
			}
			if len(args) == 0 || args[0] == "-" {
				return safefile.Buffered(a.Stdout, write)
			}
			if err := safefile.Create(args[0], write); err != nil {
				return err
			}
			_, err := fmt.Fprintf(a.Stdout, "Exported %s to %s.\n", metadata.Counted(int(n), "row"), args[0])
			return err
		},
	}
}
