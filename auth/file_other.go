//go:build !unix

package auth

import "io/fs"

// isOwn returns true, because KOTA cannot determine the owner of a file here. The access rules
// of the user's profile folder protect the file.
func isOwn(fs.FileInfo) bool { return true }

func isRootOwned(fs.FileInfo) bool { return false }
