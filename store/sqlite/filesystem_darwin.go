package sqlite

import "golang.org/x/sys/unix"

// filesystemOf names the type of file system that dir is on, "" when it
// cannot be told.
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
