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
		Long: `Copy the whole database to FILE; the default is a file with today's date in the same
folder. The copy is checked, only its owner can read it, and it never replaces a
file. To go back to it, run: kota restore FILE

Secrets in the copy need tokens/sealing.key (or your keyring); keep a copy of it
elsewhere.`,
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
		Short: "Restore the database from a backup",
		Long: `Replace the database by a copy of FILE, which ` + "`kota backup`" + ` made. FILE is checked first
and never changed. The current database is kept in the same folder under a new name,
so you can restore it too; the two newest such files are kept. Stop every other kota
first, including those that clients started.

KOTA shows what is newer than the copy and asks you on a terminal; without a terminal,
pass --yes. If there is no database yet, KOTA does not ask.

What was sent, approved and counted after the copy was made is kept, so nothing is
sent twice. Pending calls are no longer pending.`,
		Example: "  kota restore ~/kota.db.copy\n  kota restore ~/kota.db.copy --yes",
		Args:    exactArgs(1, "the file of a backup"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return backup.Restore(cmd.Context(), a, args[0], yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}
