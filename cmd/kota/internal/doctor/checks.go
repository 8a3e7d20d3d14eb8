package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/safefile"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/index"
)

// Examine runs every check that the earlier checks permit. It returns the
// mistake in bundles.yaml as its error, and also as a finding.
func Examine(a *app.App, ctx context.Context) ([]Finding, error) {
	if err := a.Load(); err != nil {
		return []Finding{{Check: "configuration", Saw: err.Error(), Remedy: "Mend the file; the repository's bundles.yaml shows every key."}}, err
	}
	found := []Finding{examineConfig(a), examineHome(a.Config.Home)}
	if free, known := sqlite.FreeSpace(nearestExisting(a.Config.Home)); known {
		found = append(found, spaceFinding(free))
	}
	router, err := a.Router()
	if err != nil {
		return append(found, Finding{Check: "bundles", Saw: err.Error(), Remedy: "Mend " + a.Config.Name() + "."}), err
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

// examineConfig names the file that is used, and a file beside it that is not.
func examineConfig(a *app.App) Finding {
	f := Finding{Check: "configuration", OK: true, Saw: a.Config.Name()}
	if other := config.OtherExtension(a.Config.File); other != "" {
		f.OK, f.Saw, f.Remedy = false, f.Saw+"; "+other+" beside it is not read", "Move what it says into the one that is read, and remove it."
	}
	return f
}

// examineHome tries what the first write does.
func examineHome(home string) Finding {
	f := Finding{Check: "home", Saw: home}
	info, err := os.Stat(home)
	switch {
	case safefile.IsDanglingLink(home):
		f.Saw, f.Remedy = home+" is a link to nothing", "Make the folder it names, or remove the link."
		return f
	case errors.Is(err, os.ErrNotExist):
		f.Saw += " is made on the first write"
	case err != nil:
		f.Saw, f.Remedy = err.Error(), "Set KOTA_HOME to a folder that you may write."
		return f
	case !info.IsDir():
		f.Saw, f.Remedy = home+" is not a folder", "Set KOTA_HOME to a folder."
		return f
	case info.Mode().Perm()&0o077 != 0:
		f.Saw = fmt.Sprintf("%s may be entered by others (mode %04o)", home, info.Mode().Perm())
		f.Remedy = "Run: chmod 700 " + home
		return f
	}
	trial, err := os.MkdirTemp(nearestExisting(home), ".kota-doctor-*")
	if err == nil {
		err = os.Remove(trial)
	}
	if err != nil {
		f.Saw = fmt.Sprintf("%s cannot be written: %v", home, err)
		f.Remedy = "Run chmod 700 on " + nearestExisting(home) + " if it is yours, or set KOTA_HOME to a folder that you may write."
		return f
	}
	f.OK = true
	return f
}

// nearestExisting returns the folder, or the nearest existing folder above it.
func nearestExisting(dir string) string {
	for {
		above := filepath.Dir(dir)
		if _, err := os.Stat(dir); err == nil || above == dir {
			return dir
		}
		dir = above
	}
}

// minFreeBytes is the disk space in bytes for a write, its journal and its index.
const minFreeBytes = 10_000_000

func spaceFinding(free uint64) Finding {
	f := Finding{Check: "space", OK: free >= minFreeBytes, Saw: fmt.Sprintf("%.1f MB are free", float64(free)/1e6)}
	if !f.OK {
		f.Remedy = "Make room on the disk of KOTA_HOME: writes fail when it is full, and nothing kept is lost."
	}
	return f
}

func examineDatabase(a *app.App, ctx context.Context) []Finding {
	f := Finding{Check: "database", Saw: a.Config.DBPath()}
	if safefile.IsDanglingLink(a.Config.DBPath()) {
		f.Saw, f.Remedy = a.Config.DBPath()+" is a link to nothing", "Bring back the file it names, or remove the link."
		return []Finding{f}
	}
	if sqlite.Absent(a.Config.DBPath()) {
		f.OK, f.Saw = true, a.Config.DBPath()+" is made on the first write"
		return []Finding{f}
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		f.Saw, f.Remedy = err.Error(), "Nothing was changed. `kota restore FILE` goes back to a backup and keeps what is there; copies made before upgrades lie beside it."
		return []Finding{f}
	}
	filesystem, tables := filesystemFinding(db.Filesystem()), examineTables(ctx, db)
	if !tables.OK { // further failures have the same cause, so their own remedies do not help
		f.OK = true
		return []Finding{f, filesystem, tables}
	}
	index := Finding{Check: "search index", OK: true, Saw: "checking it takes writing: run this with --profile full"}
	if a.Policy().ReadsOnly() {
		f.OK, f.Saw = true, fmt.Sprintf("%s, which the profile %s only reads", a.Config.DBPath(), a.Config.Profile)
	} else {
		f, index = examineWriting(a, ctx, db), ExamineIndex(ctx, db)
	}
	found := []Finding{f, filesystem, tables, index, examinePending(a, ctx), examineOutbox(a, ctx), examineSeries(ctx, db)}
	return append(append(found, examineSecrets(ctx, db)...), examineAudit(ctx, db)...)
}

func examineWriting(a *app.App, ctx context.Context, db *sqlite.DB) Finding {
	f := Finding{Check: "database", OK: true, Saw: a.Config.DBPath()}
	err := db.Writable(ctx)
	if err == nil {
		return f
	}
	f.OK, f.Saw = false, err.Error()
	switch {
	case errors.Is(err, store.ErrBusy):
		f.Remedy = "Another program holds it; end that one."
	case errors.Is(err, store.ErrCorrupt):
		f.Remedy = restoreHint
	default:
		f.Remedy = fmt.Sprintf("It can be read. To write it, run: chmod 700 %s && chmod 600 %s", a.Config.Home, a.Config.DBPath())
	}
	return f
}

// restoreHint says what to do about a damaged file.
const restoreHint = "`kota restore FILE` goes back to a backup and keeps what is there; before that, `kota memory export` reads what can be read."

func examineTables(ctx context.Context, db *sqlite.DB) Finding {
	problems, err := db.Check(ctx)
	switch {
	case err != nil:
		return Finding{Check: "integrity", Saw: err.Error(), Remedy: restoreHint}
	case len(problems) > 0:
		return Finding{Check: "integrity", Saw: strings.Join(problems, "; "), Remedy: restoreHint}
	}
	return Finding{Check: "integrity", OK: true, Saw: "the tables are whole"}
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
	f := Finding{Check: "search index", OK: true, Saw: "it says what the tables say"}
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
		Remedy: "It is safe but slow, and one computer at a time should use it. A KOTA_HOME on a local disk is better.",
	}
}
