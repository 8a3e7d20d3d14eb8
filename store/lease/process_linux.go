package lease

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// machineID identifies the machine since its last boot, and the namespace of process ids. Each
// container has its own namespace. machineID returns "" if one of them is unknown.
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

// startOf returns when a process started, or "" if that is unknown. alive is false if the
// process has certainly ended. A zombie has ended: it only remains until its parent waits for
// it.
func startOf(id int) (start string, alive bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	if err != nil {
		return "", true
	}
	// The second field is the program's name in parentheses. The name may contain parentheses
	// too.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const state, began = 0, 19
	if len(fields) <= began {
		return "", true
	}
	return fields[began], fields[state] != "Z" && fields[state] != "X"
}
