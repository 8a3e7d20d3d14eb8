//go:build !unix

package sqlite

// checkReadable returns nil. Opening an unreadable file then reports the error.
func checkReadable(string) error { return nil }
