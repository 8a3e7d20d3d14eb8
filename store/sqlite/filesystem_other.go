//go:build !linux && !darwin

package sqlite

import "strings"

// filesystemOf tells a Windows share by its path; elsewhere it cannot tell.
func filesystemOf(dir string) string {
	if strings.HasPrefix(dir, `\\`) {
		return "unc_remote"
	}
	return ""
}

func freeSpace(string) (uint64, bool) { return 0, false }
