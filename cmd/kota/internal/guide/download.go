package guide

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// downloads returns the user's folder for downloads, which need not exist. On Linux
// its name depends on the language: user-dirs.dirs has it.
func downloads(env func(string) string) string {
	home := cmp.Or(env("HOME"), env("USERPROFILE"))
	text, _ := os.ReadFile(filepath.Join(cmp.Or(env("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "user-dirs.dirs"))
	for line := range strings.Lines(string(text)) {
		if folder, ok := strings.CutPrefix(strings.TrimSpace(line), "XDG_DOWNLOAD_DIR="); ok {
			return strings.Replace(strings.Trim(folder, `"`), "$HOME", home, 1)
		}
	}
	return filepath.Join(home, "Downloads")
}

// newestClientFile returns the newest file in the folder whose name is that of
// Google's download, and its time. It returns "" if there is none.
func newestClientFile(folder string) (newest string, when time.Time) {
	all, _ := os.ReadDir(folder)
	for _, entry := range all {
		name := entry.Name()
		if !strings.HasPrefix(name, "client_secret") || filepath.Ext(name) != ".json" {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().After(when) {
			newest, when = filepath.Join(folder, name), info.ModTime()
		}
	}
	return newest, when
}

// unquote returns the path that the user typed or dropped on the terminal: without
// quotes, with ~ as the home folder.
func unquote(path, home string) string {
	path = strings.ReplaceAll(strings.Trim(path, `"'`), `\ `, " ")
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(home, rest)
	}
	return path
}
