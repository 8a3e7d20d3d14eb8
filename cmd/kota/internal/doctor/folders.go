package doctor

import (
	"os"
	"path/filepath"
	"strings"

	"kota/cmd/kota/internal/app"
)

// examineFolders checks the attachment folders that bundles.yaml names.
func examineFolders(a *app.App) []Finding {
	folders := a.Config.Attachments.From
	if into := a.Config.Attachments.Into; into != "" {
		folders = append(folders[:len(folders):len(folders)], into)
	}
	found := []Finding{}
	for _, folder := range folders {
		if f, bad := examineFolder(a, folder); bad {
			found = append(found, f)
		}
	}
	if len(found) == 0 && len(folders) > 0 {
		found = append(found, Finding{Check: "attachments", OK: true, Saw: strings.Join(folders, ", ")})
	}
	return found
}

func examineFolder(a *app.App, folder string) (f Finding, bad bool) {
	f = Finding{Check: "attachments", Remedy: "Fix attachments: in " + a.Config.Name() + "."}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		f.Saw = err.Error()
	case !info.IsDir():
		f.Saw = folder + " is not a folder"
	case isWithin(a.Config.Home, folder):
		f.Saw = folder + " is KOTA's own folder or in it: nothing is attached from there or saved there"
	default:
		return Finding{}, false
	}
	return f, true
}

// isWithin reports whether path is folder or below it, after following links.
func isWithin(folder, path string) bool {
	folder, path = resolveLinks(folder), resolveLinks(path)
	return path == folder || strings.HasPrefix(path, folder+string(filepath.Separator))
}

// resolveLinks returns the path with its links resolved. It returns the path
// unchanged if it does not exist or cannot be resolved.
func resolveLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
