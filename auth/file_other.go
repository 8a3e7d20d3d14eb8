//go:build !unix

package auth

import "io/fs"

// isOwn returns true, because the owner of a file cannot be determined here. The access rules
// of the user's profile folder protect it.
func isOwn(fs.FileInfo) bool { return true }

func isRootOwned(fs.FileInfo) bool { return false }
