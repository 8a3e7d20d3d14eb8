//go:build !linux

package footprint

// releaseStart does nothing on systems other than Linux.
func releaseStart() {}
