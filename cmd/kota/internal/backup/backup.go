// Package backup copies the database while it is in use, and restores a copy.
// Copy never overwrites a file. Restore keeps the replaced database. Begin with
// Copy and Restore.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/restore"
	"kota/store/tables/memory"
)

// maxReplaced is how many replaced databases are kept.
const maxReplaced = 2

// explainCheck rewords an error of restore.Check for the user.
func explainCheck(err error, file string) error {
	switch {
	case errors.Is(err, restore.ErrNotDatabase):
		return fmt.Errorf("%w; name a copy that `kota backup` made", err)
	case errors.Is(err, restore.ErrItself):
		return fmt.Errorf("restore %s: that file is the database itself; name a backup", file)
	case errors.Is(err, store.ErrCorrupt):
		return fmt.Errorf("restore %s: the file is damaged; name another copy that `kota backup` made", file)
	case errors.Is(err, store.ErrForeign):
		return fmt.Errorf("restore %s: the file belongs to another program; name a copy that `kota backup` made", file)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return mistake.Errorf("%s; name a copy that `kota backup` made", mistake.FileProblem(err, file))
	}
	return explainBusy(err)
}

func explainBusy(err error) error {
	if errors.Is(err, store.ErrBusy) {
		return errors.New("another kota has the database open; stop it, or the client that started it, and try again")
	}
	return err
}

// confirmRestore shows what a restore would lose. It returns nil if the user
// agrees, if yes is true, or if there is no database yet.
func confirmRestore(ctx context.Context, a *app.App, file string, yes bool) error {
	if !a.HasDatabase() {
		return nil
	}
	what := fmt.Sprintf("%s will be replaced by a copy of %s. ", a.Config.DBPath(), file) + describeNewer(ctx, a, file)
	switch {
	case yes:
		fmt.Fprintln(a.Stderr, what)
		return nil
	case !a.CanAsk():
		return mistake.Errorf("%s\nKOTA needs a terminal to ask you, so nothing was done. `kota restore %s --yes` does it without asking.", what, bundles.ShellWord(file))
	case !a.Confirm(ctx, what):
		return metadata.Errorf(metadata.Refused, "nothing was done; the database is unchanged")
	}
	return nil
}

// describeNewer says which data is only in the database, and which is only in the
// copy.
func describeNewer(ctx context.Context, a *app.App, file string) string {
	newer, err := restore.CompareCopy(ctx, file, a.Config.DBPath())
	if err != nil {
		return fmt.Sprintf("KOTA cannot determine what is newer than the copy: %v.", err)
	}
	text := "Nothing is newer than the copy."
	if lost := countWords(newer.Counts); lost != "" {
		text = fmt.Sprintf("Newer than the copy, and not in it: %s; the latest is from %s.", lost, newer.Last.In(a.Zone()).Format("2006-01-02 15:04"))
	}
	if back := countWords(newer.OnlyInCopy); back != "" {
		text += fmt.Sprintf(" Only in the copy, and back after the restore: %s.", back)
	}
	return text
}

// countWords returns the counts that are not zero: "1 memory, 2 tasks".
func countWords(c restore.Counts) string {
	var words []string
	for _, kind := range []struct {
		n         int
		one, many string
	}{
		{c.Memories, "memory", "memories"}, {c.Entries, "diary entry", "diary entries"},
		{c.Tasks, "task", "tasks"}, {c.Documents, "plan or review", "plans and reviews"},
	} {
		switch {
		case kind.n == 1:
			words = append(words, "1 "+kind.one)
		case kind.n > 1:
			words = append(words, fmt.Sprintf("%d %s", kind.n, kind.many))
		}
	}
	return strings.Join(words, ", ")
}

// replace replaces the database by a copy of file. It keeps the replaced
// database. If there are more than maxReplaced replaced databases, it deletes the
// oldest, but never file.
func replace(ctx context.Context, a *app.App, file string) error {
	bar, replaced := a.Progress("copying", 0), []string(nil)
	err := a.RecordCommand(ctx, "kota restore", metadata.Writes, func(ctx context.Context) (err error) {
		replaced, err = restore.Restore(ctx, file, a.Config.DBPath(), sqlite.Options{Now: a.Config.Now, Version: app.Version}, app.TrailFromContext(ctx), bar.UpdateTotal)
		return err
	})
	bar.End()
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.Stdout, "The database is restored from %s.\n", file); err != nil || len(replaced) == 0 {
		return err
	}
	if _, err := fmt.Fprintf(a.Stdout, "The previous database is kept as %s.\n", strings.Join(replaced, ", ")); err != nil {
		return err
	}
	removed, err := restore.PruneReplaced(a.Config.DBPath(), maxReplaced, file)
	if len(removed) > 0 {
		fmt.Fprintf(a.Stdout, "Deleted databases that earlier restores kept: %s.\n", strings.Join(removed, ", "))
	}
	return err
}

// Copy copies the database to a new file, by default one in KOTA_HOME.
func Copy(ctx context.Context, a *app.App, to ...string) error {
	if err := a.Load(); err != nil {
		return err
	}
	if a.Config.HasServer() {
		return serverError(a, "backup")
	}
	target := filepath.Join(a.Config.Home, "kota-"+a.LocalNow().Format("2006-01-02T150405.000")+".db")
	if len(to) == 1 {
		target = to[0]
	}
	if target == "-" {
		return mistake.Errorf("a backup cannot be written to stdout; name a file")
	}
	if !a.HasDatabase() {
		return fmt.Errorf("back up %s: %w", a.Config.DBPath(), app.ErrNoDatabase)
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return err
	}
	file, ok := db.(app.FileDatabase)
	if !ok {
		return serverError(a, "backup")
	}
	bar := a.Progress("copying", 0)
	err = file.Backup(ctx, target, bar.UpdateTotal)
	bar.End()
	if problem := mistake.NewFileProblem(err, target); problem != "" {
		return mistake.Errorf("%s", problem)
	}
	if errors.Is(err, store.ErrCorrupt) {
		return errors.New("the database is damaged, so no backup was made; run `kota doctor`")
	}
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.Stdout, "The database is copied to %s.\n", target); err != nil {
		return err
	}
	if secrets, err := memory.New(db, app.Owner).CheckSecrets(ctx); err == nil && secrets > 0 {
		_, err = fmt.Fprintln(a.Stdout, "Secrets in the copy need tokens/sealing.key (or your keyring); keep a copy of it elsewhere.")
		return err
	}
	return nil
}

// Restore replaces the database by a copy of file, if the user agrees.
func Restore(ctx context.Context, a *app.App, file string, yes bool) error {
	if err := a.Load(); err != nil {
		return err
	}
	if err := a.Policy().Permit("kota restore", metadata.Writes); err != nil {
		return err
	}
	if a.Config.HasServer() {
		return serverError(a, "restore")
	}
	if err := restore.Check(ctx, file, a.Config.DBPath()); err != nil {
		return explainCheck(err, file)
	}
	if err := confirmRestore(ctx, a, file, yes); err != nil {
		return err
	}
	return explainBusy(replace(ctx, a, file))
}

// serverError returns the error of a command that works with the file kota.db, for a database of a
// server.
func serverError(a *app.App, command string) error {
	instead := "back it up with pg_dump, as a role that bypasses row-level security (a superuser, or one with BYPASSRLS): for every other role pg_dump stops with an error, or with --enable-row-security copies no rows"
	if command == "restore" {
		instead = "restore what pg_dump copied with pg_restore or psql, as a role that bypasses row-level security (a superuser, or one with BYPASSRLS), after every kota has stopped"
	}
	return mistake.Errorf("`kota %s` works with the file kota.db, and %s names the PostgreSQL database %s instead: %s",
		command, a.Config.Database.Source, a.DescribeDatabase(), instead)
}
