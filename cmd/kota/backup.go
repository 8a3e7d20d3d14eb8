package main

import (
	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/backup"
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
			return backup.Copy(cmd.Context(), a, args...)
		},
	}
}

func newRestore(a *app.App) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Go back to a copy of the database",
		Long: `Put a copy of FILE, which ` + "`kota backup`" + ` made, in the place of the database. FILE is
checked first and never changed. What was there is kept beside it under a new
name, so that restoring that file brings it back; the two newest such files stay.
Every other kota must have ended, those that clients started too.

You are told what is newer than the copy, and asked, on a terminal; where there is
none, --yes says it. A home without a database needs no answer.

What was sent, agreed to and counted since the copy was made stays known, so that
nothing is sent twice. Calls that waited for you do not wait any more.`,
		Example: "  kota restore ~/kota.db.copy\n  kota restore ~/kota.db.copy --yes",
		Args:    exactArgs(1, "the file of a backup"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return backup.Restore(cmd.Context(), a, args[0], yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}
