package main

import (
	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/move"
)

func newMigrate(a *app.App) *cobra.Command {
	var opts move.Options
	cmd := &cobra.Command{
		Use:   "migrate {--to URL | --from URL}",
		Short: "Move the database from kota.db to PostgreSQL, or back",
		Long: `Move all data from the file kota.db to a PostgreSQL database, or back to a new file.
KOTA compares the number of rows and the hash of all values afterwards, and checks the
audit log. Without --owner, the data of all people moves. With KOTA_SECRETS_KEY, their
Google sign-ins and the key of secret memories move too.

A move never changes other data at its target. If it is interrupted, run the same
command again. Stop every other kota first. After a move to PostgreSQL, KOTA refuses to
use the file, until you remove kota.db.moved.

Other users of the machine see a URL in the list of processes. Without a password in
it, KOTA reads PGPASSWORD or ~/.pgpass. Instead of a URL, the word configured stands
for the database that bundles.yaml or KOTA_DATABASE_URL names.`,
		Example: "  kota migrate --to postgres://kota@db.example.com/kota --dry-run\n  kota migrate --to configured\n  kota migrate --from postgres://kota@db.example.com/kota --owner ann",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return move.Run(cmd.Context(), a, opts) },
	}
	cmd.Flags().StringVar(&opts.To, "to", "", "move to this PostgreSQL database")
	cmd.Flags().StringVar(&opts.From, "from", "", "move from this PostgreSQL database to a new kota.db")
	cmd.Flags().BoolVar(&opts.DryRun, "dry-run", false, "only count the rows, and change nothing")
	addJSON(&opts.JSON, cmd)
	return cmd
}
