package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/safefile"
	"kota/metadata"
	"kota/store"
)

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
		Args:    exactly(1, "the file for the rows"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if before == "" {
				return mistake.Errorf("--before takes a day such as 2026-01-01: the rows from before it are moved")
			}
			if err := a.Policy().Permit(store.PruneTool, metadata.Destroys); err != nil {
				return err
			}
			return pruneAudit(cmd.Context(), a, before, args[0])
		},
	}
	cmd.Flags().StringVar(&before, "before", "", `the first day whose rows stay: "2026-01-01"`)
	return cmd
}

func pruneAudit(ctx context.Context, a *app.App, before, file string) error {
	until, err := auditDay(a, "before", before)
	if err != nil {
		return err
	}
	n, last := 0, store.AuditHead{}
	held := (*store.AuditRow)(nil) // until another comes: the log goes on from its last row, which stays
	err = safefile.Create(file, func(w io.Writer) error {
		lines := json.NewEncoder(w)
		lines.SetEscapeHTML(false)
		for row, err := range auditRows(ctx, a, store.AuditFilter{}) {
			if err != nil {
				return err
			}
			if held != nil {
				n, last = n+1, store.AuditHead{Seq: held.Seq, Hash: held.Hash}
				if err := lines.Encode(held); err != nil {
					return err
				}
			}
			if !row.At.Before(until) {
				break
			}
			held = &row
		}
		if n == 0 {
			return mistake.Errorf("the audit log has no row from before %s that another follows", before)
		}
		return nil
	})
	if err != nil {
		return err
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return err
	}
	if err := app.AuditLog(db).Prune(ctx, app.UsageOwner, last); err != nil {
		return fmt.Errorf("%w; %s has its rows all the same", err, file)
	}
	_, err = fmt.Fprintf(a.Stdout, "Moved %s from the log to %s. The last is\n%d:%s\n", metadata.Counted(int(n), "row"), file, last.Seq, last.Hash)
	return err
}
