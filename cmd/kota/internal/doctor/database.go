package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/safefile"
	"kota/metadata"
	"kota/store"
	"kota/store/engine"
	"kota/store/tables/index"
)

// examineDatabase checks the database and what is in it.
func examineDatabase(a *app.App, ctx context.Context) []Finding {
	if a.Config.HasServer() {
		return examineServer(a, ctx)
	}
	return examineFile(a, ctx)
}

// examineFile checks the file kota.db.
func examineFile(a *app.App, ctx context.Context) []Finding {
	f := Finding{Check: "database", Saw: a.Config.DBPath()}
	if safefile.IsDanglingLink(a.Config.DBPath()) {
		f.Saw, f.Remedy = a.Config.DBPath()+" is a link to a file that does not exist", "Restore the file it names, or remove the link."
		return []Finding{f}
	}
	if !a.HasDatabase() {
		f.OK, f.Saw = true, a.Config.DBPath()+" is created on the first write"
		return []Finding{f}
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		if file := fileToUnlock(err); file != "" {
			f.Saw, f.Remedy = "you may not read "+file, "Run: chmod 600 "+file+" if it is yours, or ask its owner."
			return []Finding{f}
		}
		f.Saw, f.Remedy = err.Error(), "Nothing was changed. `kota restore FILE` restores a backup and keeps the current file; copies from before upgrades are in the same folder."
		return []Finding{f}
	}
	filesystem, tables := filesystemFinding(""), examineTables(ctx, db)
	if file, ok := db.(app.FileDatabase); ok {
		filesystem = filesystemFinding(file.Filesystem())
	}
	if !tables.OK { // further failures have the same cause, so their own remedies do not help
		f.OK = true
		return []Finding{f, filesystem, tables}
	}
	index := Finding{Check: "search index", OK: true, Saw: "checking it needs write access: run this with --profile full"}
	if a.Policy().ReadsOnly() {
		f.OK, f.Saw = true, fmt.Sprintf("%s, only for reading under the profile %s", a.Config.DBPath(), a.Config.Profile)
	} else {
		f, index.Saw = examineWriting(a, ctx, db), "checking it needs write access: see database"
		if f.OK {
			index = ExamineIndex(ctx, db)
		}
	}
	return append([]Finding{f, filesystem, tables, index}, examineRows(a, ctx, db)...)
}

// examineRows checks what is in the tables of the owner.
func examineRows(a *app.App, ctx context.Context, db app.Database) []Finding {
	found := []Finding{examinePending(a, ctx), examineOutbox(a, ctx), examineSeries(ctx, db)}
	return append(append(found, examineSecrets(ctx, db)...), examineAudit(ctx, db)...)
}

// fileToUnlock returns the file that the system does not let the user read, or "".
func fileToUnlock(err error) string {
	denied := (*fs.PathError)(nil)
	if errors.Is(err, fs.ErrPermission) && errors.As(err, &denied) {
		return denied.Path
	}
	return ""
}

func examineWriting(a *app.App, ctx context.Context, db app.Database) Finding {
	f := Finding{Check: "database", OK: true, Saw: a.Config.DBPath()}
	err := db.Writable(ctx)
	if err == nil {
		return f
	}
	f.OK, f.Saw = false, err.Error()
	switch {
	case errors.Is(err, store.ErrReadOnly):
		f.Saw = a.Config.DBPath() + " is read-only"
		f.Remedy = fmt.Sprintf("It can be read. To make it writable, run: chmod 700 %s && chmod 600 %s", a.Config.Home, a.Config.DBPath())
	case errors.Is(err, store.ErrBusy):
		f.Remedy = "Another program has locked it; stop that program."
	case errors.Is(err, store.ErrCorrupt):
		f.Remedy = restoreHint
	default:
		f.Remedy = "It can be read. Check the disk."
	}
	return f
}

// restoreHint says what to do about a damaged file.
const restoreHint = "`kota restore FILE` restores a backup and keeps the current file; before that, `kota memory export` exports what can still be read."

func examineTables(ctx context.Context, db app.Database) Finding {
	problems, err := db.Check(ctx)
	switch {
	case err != nil:
		return Finding{Check: "integrity", Saw: err.Error(), Remedy: restoreHint}
	case len(problems) > 0:
		return Finding{Check: "integrity", Saw: strings.Join(problems, "; "), Remedy: restoreHint}
	}
	return Finding{Check: "integrity", OK: true, Saw: "the tables are intact"}
}

// ExamineIndex compares the search index with the tables.
func ExamineIndex(ctx context.Context, db engine.DB) Finding {
	stale, err := index.CountStale(ctx, db, app.Indexes()...)
	if err == nil {
		err = index.Check(ctx, db, app.Indexes()...)
	}
	if err != nil {
		return Finding{Check: "search index", Saw: err.Error(), Remedy: "Run `kota doctor --reindex`."}
	}
	f := Finding{Check: "search index", OK: true, Saw: "it matches the tables"}
	if stale > 0 {
		f.Saw += "; " + metadata.CountOf(stale, "row") + " to be added by the next search"
	}
	return f
}

func filesystemFinding(network string) Finding {
	if network == "" {
		return Finding{Check: "file system", OK: true, Saw: "local"}
	}
	return Finding{
		Check: "file system", OK: true, Saw: network + ", a network file system: the write-ahead log is off there",
		Remedy: "It is safe but slow, and only one computer may use it at a time. A KOTA_HOME on a local disk is better.",
	}
}
