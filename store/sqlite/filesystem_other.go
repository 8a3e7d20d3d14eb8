//go:build !linux && !darwin

package sqlite

import "strings"

// filesystemOf recognizes a Windows share by its path. It returns "" for anything else.
func filesystemOf(dir string) string {
	if strings.HasPrefix(dir, `\\`) {
		return "unc_remote"
	}
	return ""
}

func freeSpace(string) (uint64, bool) { return 0, false }
