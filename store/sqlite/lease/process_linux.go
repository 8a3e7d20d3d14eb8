package lease

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// machineID names the machine since it was started, and the space that process
// ids are counted in: a container has its own. It is "" where that cannot be told.
func machineID() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(boot)) + "/" + space
}

// startOf returns when a process began, "" where that cannot be told, and whether
// it may still run: one that has ended stays until its parent asks for it.
func startOf(id int) (start string, alive bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	if err != nil {
		return "", true
	}
	// The second field is the program's name in parentheses, and may have any in it.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const state, began = 0, 19
	if len(fields) <= began {
		return "", true
	}
	return fields[began], fields[state] != "Z" && fields[state] != "X"
}
