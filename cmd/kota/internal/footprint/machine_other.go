//go:build !linux

package footprint

// machineMemory returns 0: the memory is unknown.
func machineMemory() int64 { return 0 }
