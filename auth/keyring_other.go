//go:build !(linux || netbsd || openbsd || freebsd || dragonfly)

package auth

// reachable returns nil, because the keyring is part of the system.
func reachable() error { return nil }
