package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"kota/metadata"
	"kota/store"
)

func newRestore(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Go back to a copy of the database",
		Long: `Put a copy of FILE, which ` + "`kota backup`" + ` made, in the place of the database. FILE is
checked first and never changed. What was there is kept beside it under a new
name, so that restoring that file brings it back. Every other kota must have
ended, those that clients started too.

What was sent, agreed to and counted since the copy was made stays known, so that
nothing is sent twice. Calls that waited for you do not wait any more.`,
		Args: exactly(1, "the file of a backup"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.load(); err != nil {
				return err
			}
			if err := a.policy().Permit("kota restore", metadata.Writes); err != nil {
				return err
			}
			bar, kept := a.progress("copying", 0), []string(nil)
			err := a.byHand(cmd.Context(), "kota restore", metadata.Writes, func(ctx context.Context) (err error) {
				kept, err = store.Restore(ctx, args[0], a.dbPath(), store.Options{Now: a.config.Now, Version: version}, bar.of)
				return err
			})
			bar.end()
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return usagef("%v; name a copy that `kota backup` made", err)
			case errors.Is(err, store.ErrBusy):
				return fmt.Errorf("another kota has the database open; end it, and the clients that started one, and try again: %w", err)
			case err != nil:
				return err
			}
			if _, err := fmt.Fprintf(a.stdout, "The database is restored from %s.\n", args[0]); err != nil || len(kept) == 0 {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "What was there is kept as %s.\n", strings.Join(kept, ", "))
			return err
		},
	}
}
