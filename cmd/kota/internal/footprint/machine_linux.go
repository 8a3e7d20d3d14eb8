package footprint

import (
	"os"
	"strconv"
	"strings"
)

// machineMemory returns the memory of the machine, or less if the container may take only a part.
func machineMemory() int64 {
	smallest := int64(0)
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/proc/meminfo"} {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if size := parseMemory(string(text)); size > 0 && (smallest == 0 || size < smallest) {
			smallest = size
		}
	}
	return smallest
}

// parseMemory reads a number of bytes, or the line "MemTotal: 1024 kB". It returns 0 for "max".
func parseMemory(text string) int64 {
	text, unit := strings.TrimSpace(text), int64(1)
	if rest, found := strings.CutPrefix(text, "MemTotal:"); found {
		text, unit = strings.Fields(rest)[0], 1<<10
	}
	size, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return size * unit
}
