package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/safefile"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/index"
)

// Examine runs all checks and returns their findings. If the configuration has a
// mistake, it returns the mistake as an error and as a finding, and skips the
// later checks.
func Examine(a *app.App, ctx context.Context) ([]Finding, error) {
	if err := a.Load(); err != nil {
		f := Finding{Check: "configuration", Saw: err.Error()}
		if config.IsContentError(err) {
			f.Remedy = "Fix the file; docs/reference/bundles.yaml.md in the repository describes every key."
		}
		return []Finding{f}, err
	}
	found := []Finding{examineConfig(a), examineHome(a.Config.Home)}
	if free, known := sqlite.FreeSpace(nearestExisting(a.Config.Home)); known {
		found = append(found, spaceFinding(free))
	}
	router, err := a.Router()
	if err != nil {
		return append(found, Finding{Check: "bundles", Saw: err.Error(), Remedy: "Fix " + a.Config.Name() + "."}), err
	}
	found = append(found, Finding{Check: "bundles", OK: true, Saw: enabledBundles(a)})
	for key, reason := range router.Broken() {
		found = append(found, Finding{Check: "bundle " + key, Saw: reason, Remedy: "The other bundles work."})
	}
	found = append(append(found, examineAccounts(a, ctx)...), examineZone(a))
	found = append(found, examineFolders(a)...)
	found = append(found, examineClients(a)...)
	found = append(found, examineSemanticSearch(a, ctx)...)
	found = append(found, examineHTTP(a)...)
	found = append(found, examineIssuer(a, ctx)...)
	found = append(found, examineOwners(a)...)
	return append(found, examineDatabase(a, ctx)...), nil
}

// examineConfig names the file that KOTA reads. It warns of a file beside it
// that differs only in the extension and is not read.
func examineConfig(a *app.App) Finding {
	f := Finding{Check: "configuration", OK: true, Saw: a.Config.Name()}
	if other := config.OtherExtension(a.Config.File); other != "" {
		f.OK, f.Saw, f.Remedy = false, f.Saw+"; "+other+" beside it is not read", "Move its settings into bundles.yaml, and delete it."
	}
	return f
}

// examineHome checks that only the user can enter KOTA's home folder, and that
// KOTA can write to it or create it.
func examineHome(home string) Finding {
	f := Finding{Check: "home", Saw: home}
	info, err := os.Stat(home)
	switch {
	case safefile.IsDanglingLink(home):
		f.Saw, f.Remedy = home+" is a link to a file that does not exist", "Create the folder it names, or remove the link."
		return f
	case errors.Is(err, os.ErrNotExist):
		f.Saw += " is created on the first write"
	case err != nil:
		f.Saw, f.Remedy = err.Error(), "Set KOTA_HOME to a folder that you can write to."
		return f
	case !info.IsDir():
		f.Saw, f.Remedy = home+" is not a folder", "Set KOTA_HOME to a folder."
		return f
	case info.Mode().Perm()&0o077 != 0:
		f.Saw = fmt.Sprintf("%s can be entered by other users (mode %04o)", home, info.Mode().Perm())
		f.Remedy = "Run: chmod 700 " + home
		return f
	}
	trial, err := os.MkdirTemp(nearestExisting(home), ".kota-doctor-*")
	if err == nil {
		err = os.Remove(trial)
	}
	if err != nil {
		f.Saw = fmt.Sprintf("%s cannot be written: %v", home, err)
		f.Remedy = "Run chmod 700 on " + nearestExisting(home) + " if it is yours, or set KOTA_HOME to a folder that you can write to."
		return f
	}
	f.OK = true
	return f
}

// nearestExisting returns dir if it exists, or the nearest existing folder
// above it.
func nearestExisting(dir string) string {
	for {
		above := filepath.Dir(dir)
		if _, err := os.Stat(dir); err == nil || above == dir {
			return dir
		}
		dir = above
	}
}

// minFreeBytes is the disk space, in bytes, that a write needs with its journal
// and its index.
const minFreeBytes = 10_000_000

func spaceFinding(free uint64) Finding {
	f := Finding{Check: "space", OK: free >= minFreeBytes, Saw: fmt.Sprintf("%.1f MB are free", float64(free)/1e6)}
	if !f.OK {
		f.Remedy = "Free space on the disk of KOTA_HOME: writes fail when it is full; stored data is not lost."
	}
	return f
}

func examineDatabase(a *app.App, ctx context.Context) []Finding {
	f := Finding{Check: "database", Saw: a.Config.DBPath()}
	if safefile.IsDanglingLink(a.Config.DBPath()) {
		f.Saw, f.Remedy = a.Config.DBPath()+" is a link to a file that does not exist", "Restore the file it names, or remove the link."
		return []Finding{f}
	}
	if sqlite.Absent(a.Config.DBPath()) {
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
	filesystem, tables := filesystemFinding(db.Filesystem()), examineTables(ctx, db)
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
	found := []Finding{f, filesystem, tables, index, examinePending(a, ctx), examineOutbox(a, ctx), examineSeries(ctx, db)}
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

func examineWriting(a *app.App, ctx context.Context, db *sqlite.DB) Finding {
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

func examineTables(ctx context.Context, db *sqlite.DB) Finding {
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
func ExamineIndex(ctx context.Context, db *sqlite.DB) Finding {
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

func enabledBundles(a *app.App) string {
	var on []string
	for _, b := range a.Bundles() {
		if a.Config.Bundles[b.Key].Enabled {
			on = append(on, b.Key)
		}
	}
	if len(on) == 0 {
		return "none is on"
	}
	return strings.Join(on, ", ")
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
