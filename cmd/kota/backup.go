package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/store/sqlite"
)

func newBackup(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Copy the whole database, while it is in use",
		Long: `Copy the whole database to FILE, by default a file with today's date beside it.
The copy is checked, readable by its owner alone, and never replaces a file. To
go back to it, run: kota restore FILE`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			target := filepath.Join(a.Config.Home, "kota-"+a.LocalNow().Format("2006-01-02T150405.000")+".db")
			if len(args) == 1 {
				target = args[0]
			}
			if sqlite.Absent(a.DbPath()) {
				return fmt.Errorf("back up %s: %w", a.DbPath(), app.ErrNoDatabase)
			}
			db, err := a.OpenDB(cmd.Context())
			if err != nil {
				return err
			}
			bar := a.Progress("copying", 0)
			err = db.Backup(cmd.Context(), target, bar.Of)
			bar.End()
			if errors.Is(err, fs.ErrExist) {
				return mistake.Errorf("%s exists; name a new file", target)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "The database is copied to %s.\n", target)
			return err
		},
	}
}
