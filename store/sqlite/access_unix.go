//go:build unix

package sqlite

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// checkReadable returns an *fs.PathError if the system does not let this process read the file.
// It does not open the file, for the reason that createMutex gives.
func checkReadable(path string) error {
	if err := unix.Access(path, unix.R_OK); err != nil {
		return &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return nil
}
