package main

import (
	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/auditlog"
)

func newAudit(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "See what was done, and check that the audit log is intact",
		Long: `See what was done, and check that the audit log is intact. Each call that changes
something, at Google or here, has a row before it starts and one after it ends. A
call that would send or delete for good and was refused has a row too. Rows never
change; only ` + "`kota audit prune`" + ` removes them. Each row contains the hash of the
previous one. A row holds the tool, the time, the outcome, and the recipients of a
mail or an invitation. Of texts and values it holds only the length.`,
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
		Long: `List the calls of the audit log, newest last: the tool, the time, the channel (such
as stdio or cli), the arguments without their texts, and the outcome.`,
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
	cmd.Flags().StringVar(&q.Since, "since", "", `only calls from this day or time on: "2026-11-01", "2026-11-01T09:00:00Z"`)
	cmd.Flags().IntVar(&q.Limit, "limit", 50, "the maximum number of calls; the last calls are listed")
	addJSON(&asJSON, cmd)
	completeBy(cmd, "tool", completeTools(a))
	return cmd
}

func newAuditShow(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "show NUMBER | CALL",
		Short: "Show the rows of one call as JSON",
		Long: `Show the rows of one call as JSON, one row per line. NUMBER is the first column of
` + "`kota audit list`" + `; CALL is the call id that ` + "`kota audit list --json`" + ` prints.`,
		Example: "  kota audit show 812\n  kota audit show 3jq5h2x7k6m4n2p8",
		Args:    exactArgs(1, "the number of a row or the id of a call"),
		RunE:    func(cmd *cobra.Command, args []string) error { return auditlog.Show(cmd.Context(), a, args[0]) },
	}
}

func newAuditExport(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "export [FILE | -]",
		Short: "Write the audit log to FILE, or to stdout, as JSON Lines",
		Long: `Write the whole audit log to FILE, or to stdout, as JSON, one row per line. FILE must
not exist; only its owner can read it. ` + "`kota audit verify FILE`" + ` checks it.`,
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
		Long: `Move the rows from before a day into FILE, in the format of ` + "`kota audit export`" + `. The
rows are removed from the log once they are in the file. FILE must not exist. The
log then begins with a row that contains the hash of the last row in FILE, so
` + "`kota audit verify`" + ` can check both.`,
		Example: "  kota audit prune --before 2026-01-01 audit-2025.jsonl",
		Args:    exactArgs(1, "--before DAY and the file that the rows are moved to"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return auditlog.Prune(cmd.Context(), a, before, args[0])
		},
	}
	cmd.Flags().StringVar(&before, "before", "", `the first day whose rows stay in the log: "2026-01-01"`)
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
		Long: `Check that no row of the audit log was changed, removed, moved or inserted, and list
the rows that were. The exit status is then 1. With FILE, check an export.

KOTA notes the last row in kota.db.audit-head, next to the database. This shows
whether rows were removed from the end, or the whole log was rewritten. If that file
is missing or damaged, the rows are still checked, and the exit status is 1 unless
--expect names a row. Anyone who can write both files can forge the log. To detect
that, keep the last line of ` + "`kota audit verify`" + ` elsewhere, and pass it with --expect
the next time.

A call without an outcome is not a sign of tampering: KOTA stopped while the call
ran, or the call is still running.`,
		Example: "  kota audit verify\n  kota audit verify --expect 812:9f2c…\n  kota audit verify audit.jsonl",
		Args:    atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return auditlog.Verify(cmd.Context(), a, expect, asJSON, args...)
		},
	}
	cmd.Flags().StringVar(&expect, "expect", "", "a row that must be in the log: `NUMBER:HASH` as kota audit verify printed it, at least 12 digits of the hash")
	addJSON(&asJSON, cmd)
	return cmd
}
