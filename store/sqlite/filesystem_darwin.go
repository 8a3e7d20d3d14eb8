package sqlite

import "golang.org/x/sys/unix"

// filesystemOf returns the type of the file system of dir, or "" if it is unknown.
func filesystemOf(dir string) string {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return ""
	}
	return unix.ByteSliceToString(stat.Fstypename[:])
}

func freeSpace(dir string) (uint64, bool) {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return 0, false
	}
	return stat.Bavail * uint64(stat.Bsize), true
}
