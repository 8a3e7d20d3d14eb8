package main

import (
	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/auditlog"
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

func newAuditList(a *app.App) *cobra.Command {
	q, asJSON := auditlog.Query{}, false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the calls of the audit log, newest last",
		Long: `List the calls of the audit log, newest last: what was called when, by which
door, with what, and how it ended.`,
		Example: "  kota audit list\n  kota audit list --tool gmail_send_message --since 2026-11-01\n  kota audit list --limit 1000 --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			calls, err := auditlog.Calls(cmd.Context(), a, q)
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(map[string]any{"calls": calls})
			}
			return auditlog.PrintCalls(a, calls)
		},
	}
	cmd.Flags().StringVar(&q.Tool, "tool", "", "only calls of this tool")
	cmd.Flags().StringVar(&q.Since, "since", "", `only those from this day or time on: "2026-11-01", "2026-11-01T09:00:00Z"`)
	cmd.Flags().IntVar(&q.Limit, "limit", 50, "only so many, the last ones")
	addJSON(&asJSON, cmd)
	completeBy(cmd, "tool", completeTools(a))
	return cmd
}

func newAuditShow(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "show NUMBER | CALL",
		Short:   "Show the rows of one call as JSON",
		Long:    "Show the rows of one call as JSON, a row on a line. NUMBER is what `kota audit list` prints first, CALL the id that it gives with --json.",
		Example: "  kota audit show 812\n  kota audit show 3jq5h2x7k6m4n2p8",
		Args:    exactArgs(1, "the number of a row or the id of a call"),
		RunE:    func(cmd *cobra.Command, args []string) error { return auditlog.Show(cmd.Context(), a, args[0]) },
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
			return auditlog.Export(cmd.Context(), a, fileArg(args))
		},
	}
}

func newAuditPrune(a *app.App) *cobra.Command {
	before := ""
	cmd := &cobra.Command{
		Use:   "prune --before DAY FILE",
		Short: "Move the oldest rows of the audit log into FILE",
		Long: `Move the rows of the audit log from before a day into FILE, as ` + "`kota audit export`" + `
writes them: out of the log once they are in the file. FILE must not exist. The log
then begins later, and a row in it says so and binds it to the last one in FILE:
` + "`kota audit verify`" + ` checks both.`,
		Example: "  kota audit prune --before 2026-01-01 audit-2025.jsonl",
		Args:    exactArgs(1, "the file for the rows"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return auditlog.Prune(cmd.Context(), a, before, args[0])
		},
	}
	cmd.Flags().StringVar(&before, "before", "", `the first day whose rows stay: "2026-01-01"`)
	return cmd
}

func newAuditVerify(a *app.App) *cobra.Command {
	var (
		expect string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "verify [FILE]",
		Short: "Check that no row of the audit log was changed, removed or moved",
		Long: `Check that no row of the audit log was changed, removed, moved or put in, and name
those that were; the exit status is 1 then. With FILE an export is checked.

What was cut off at the end, or bound anew as a whole, shows by the last row that
KOTA notes beside the database, in kota.db.audit-head. Where that is gone or
damaged the rows are checked all the same, and the exit status is 1 unless --expect
names a row. Whoever can write both files can deceive KOTA: note what
` + "`kota audit verify`" + ` prints last somewhere else, and give it with --expect.

A call without an outcome is no tampering: KOTA was ended while it ran, or it
still runs.`,
		Example: "  kota audit verify\n  kota audit verify --expect 812:9f2c…\n  kota audit verify audit.jsonl",
		Args:    atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return auditlog.Verify(cmd.Context(), a, expect, asJSON, args...)
		},
	}
	cmd.Flags().StringVar(&expect, "expect", "", "a row that must be in the log, as `verify` printed it: NUMBER:HASH")
	addJSON(&asJSON, cmd)
	return cmd
}
