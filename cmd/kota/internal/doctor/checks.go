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
	"kota/store/sqlite"
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
