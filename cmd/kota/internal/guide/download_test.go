package guide

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func env(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

func TestDownloadsFolderFollowsTheLanguage(t *testing.T) {
	home := t.TempDir()
	variables := map[string]string{"HOME": home}
	if got, want := downloads(env(variables)), filepath.Join(home, "Downloads"); got != want {
		t.Errorf("without user-dirs.dirs: got %s, want %s", got, want)
	}
	variables["XDG_CONFIG_HOME"] = filepath.Join(home, "settings")
	if err := os.Mkdir(variables["XDG_CONFIG_HOME"], 0o700); err != nil {
		t.Fatal(err)
	}
	text := "# XDG_DOWNLOAD_DIR=\"/no\"\nXDG_DESKTOP_DIR=\"$HOME/Bureau\"\nXDG_DOWNLOAD_DIR=\"$HOME/Téléchargements\"\n"
	if err := os.WriteFile(filepath.Join(variables["XDG_CONFIG_HOME"], "user-dirs.dirs"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := downloads(env(variables)), home+"/Téléchargements"; got != want {
		t.Errorf("with user-dirs.dirs: got %s, want %s", got, want)
	}
}

func TestNewestClientFileIgnoresOtherFiles(t *testing.T) {
	folder := t.TempDir()
	now := time.Now()
	for name, age := range map[string]time.Duration{
		"client_secret_1.json": 3 * time.Hour, "client_secret_1 (1).json": 2 * time.Hour,
		"client_secret_1.json.crdownload": time.Hour, "report.json": 0, "client_secret.txt": 0,
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "client_secret_folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, when := newestClientFile(folder); got != filepath.Join(folder, "client_secret_1 (1).json") || now.Sub(when).Round(time.Hour) != 2*time.Hour {
		t.Errorf("got %s of %s", got, when)
	}
	if got, _ := newestClientFile(filepath.Join(folder, "nowhere")); got != "" {
		t.Errorf("a folder that is absent has %s", got)
	}
}

// Terminals quote the path of a file that is dropped on them in several ways.
func TestTypedPathIsUnquoted(t *testing.T) {
	for typed, want := range map[string]string{
		"":                   "",
		"/a/b.json":          "/a/b.json",
		"'/a/my file.json'":  "/a/my file.json",
		`"/a/my file.json"`:  "/a/my file.json",
		`/a/my\ file.json`:   "/a/my file.json",
		"~/Downloads/b.json": filepath.Join("/home/ann", "Downloads", "b.json"),
	} {
		if got := unquote(typed, "/home/ann"); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}
