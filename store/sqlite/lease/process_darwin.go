package lease

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// machineID names the machine since it was started, "" where that cannot be told.
func machineID() string {
	session, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return session
}

// startOf returns when a process began, "" where that cannot be told, and whether
// it may still run: one that has ended stays until its parent asks for it.
func startOf(id int) (start string, alive bool) {
	const zombie = 5
	info, err := unix.SysctlKinfoProc("kern.proc.pid", id)
	if err != nil {
		return "", true
	}
	began := info.Proc.P_starttime
	return fmt.Sprintf("%d.%d", began.Sec, began.Usec), info.Proc.P_stat != zombie
}
