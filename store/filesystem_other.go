//go:build !linux && !darwin

package store

import "strings"

// filesystemOf tells a Windows share by its path; elsewhere it cannot tell.
func filesystemOf(dir string) string {
	if strings.HasPrefix(dir, `\\`) {
		return "unc_remote"
	}
	return ""
}
