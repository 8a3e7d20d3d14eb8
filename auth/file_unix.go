//go:build unix

package auth

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether this process's user owns the file.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(stat.Uid) == os.Geteuid()
}

// isRootOwned reports whether root owns the file. Root can change every file anyway.
func isRootOwned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0
}
