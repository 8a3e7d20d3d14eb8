package auth

import (
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// Guarded returns an *UnsafeError when somebody else than this process's user,
// or root, may change what is at path: the file, or which files a folder has. It
// may be read by all. What is not there, or out of reach, is nobody's. On Windows the access rules
// of the user's profile folder decide, and nothing is refused.
func Guarded(path string) error {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" { // whoever opens it says the rest
		return nil
	}
	mode := info.Mode()
	othersStay := mode.IsDir() && mode&fs.ModeSticky != 0 // each may change their own files there alone, as in /tmp
	switch {
	case !isOwn(info) && !isRoots(info):
		return &UnsafeError{path, "belongs to another user", `sudo chown "$(id -u)" ` + quote(path)}
	case mode.Perm()&0o022 != 0 && !othersStay:
		return &UnsafeError{path, fmt.Sprintf("can be written by others (mode %04o)", mode.Perm()), "chmod go-w " + quote(path)}
	}
	return nil
}
