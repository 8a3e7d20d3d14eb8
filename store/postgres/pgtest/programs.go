package pgtest

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

var errBadURL = errors.New(variable + " is not a URL")

// findPrograms returns the folder of initdb and postgres: the given one, the newest one where
// Debian has them, or the one in PATH. It returns "" if no folder has them.
func findPrograms(given string) (string, error) {
	if given != "" {
		if !hasPrograms(given) {
			return "", fmt.Errorf("%s: %s has no initdb and postgres", variable, given)
		}
		return given, nil
	}
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.SortFunc(installed, func(a, b string) int { return majorVersion(b) - majorVersion(a) })
	for _, folder := range installed {
		if hasPrograms(folder) {
			return folder, nil
		}
	}
	if program, err := exec.LookPath("initdb"); err == nil {
		if program, err = filepath.EvalSymlinks(program); err == nil && hasPrograms(filepath.Dir(program)) {
			return filepath.Dir(program), nil
		}
	}
	return "", nil
}

func hasPrograms(folder string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		if _, err := exec.LookPath(filepath.Join(folder, name)); err != nil {
			return false
		}
	}
	return true
}

// majorVersion returns the 15 of /usr/lib/postgresql/15/bin.
func majorVersion(folder string) int {
	version, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder)))
	return version
}
