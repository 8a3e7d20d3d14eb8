package auditlog

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/safefile"
	"kota/metadata"
	"kota/store"
)

// Prune moves the first rows of the log, those from before a day or time, into a
// new file. The last row of the log always stays, because the next row will refer
// to it.
func Prune(ctx context.Context, a *app.App, before, file string) error {
	if err := a.Load(); err != nil {
		return err
	}
	if before == "" {
		return mistake.Errorf("--before takes a day such as 2026-01-01: the rows from before it are moved")
	}
	if err := a.Policy().Permit(store.PruneTool, metadata.Destroys); err != nil {
		return err
	}
	until, err := parseDay(a, "before", before)
	if err != nil {
		return err
	}
	n, last := 0, store.AuditCheckpoint{}
	held := (*store.AuditRow)(nil) // written once another row follows
	err = safefile.Create(file, func(w io.Writer) error {
		lines := json.NewEncoder(w)
		lines.SetEscapeHTML(false)
		for row, err := range rowsOf(ctx, a, store.AuditFilter{}) {
			if err != nil {
				return err
			}
			if held != nil {
				n, last = n+1, store.AuditCheckpoint{Seq: held.Seq, Hash: held.Hash}
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
			return mistake.Errorf("the audit log has no row from before %s to move; its last row always stays", before)
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
	if err := app.AuditLog(db).Prune(ctx, app.Owner, last); err != nil {
		return fmt.Errorf("%w; %s contains the rows anyway", err, file)
	}
	_, err = fmt.Fprintf(a.Stdout, "Moved %s from the log to %s. The last is\n%d:%s\n", metadata.CountOf(int(n), "row"), file, last.Seq, last.Hash)
	return err
}
