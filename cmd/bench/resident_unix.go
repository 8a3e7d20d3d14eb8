//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// mostResident returns the most memory that an ended process had at a time, in
// MB.
func mostResident(process *os.ProcessState) (mb float64, known bool) {
	usage, ok := process.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	if runtime.GOOS == "darwin" { // in bytes there
		return float64(usage.Maxrss) / 1e6, true
	}
	return float64(usage.Maxrss) * 1024 / 1e6, true
}
