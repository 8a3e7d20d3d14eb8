package footprint

import (
	"math"
	"runtime/debug"
)

// Budget returns how much memory the process may take: GOMEMLIMIT, or else half of the memory of the
// machine or of the container. It returns 0 if that is unknown.
func Budget() int64 {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 && !limited.Load() {
		return limit
	}
	return machineMemory() / 2
}
