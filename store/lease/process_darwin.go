package lease

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// machineID identifies the machine since its last boot. It returns "" if that is unknown.
func machineID() string {
	session, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return session
}

// startOf returns when a process started, or "" if that is unknown. alive is false if the
// process has certainly ended. A zombie has ended: it only remains until its parent waits for
// it.
func startOf(id int) (start string, alive bool) {
	const zombie = 5
	info, err := unix.SysctlKinfoProc("kern.proc.pid", id)
	if err != nil {
		return "", true
	}
	began := info.Proc.P_starttime
	return fmt.Sprintf("%d.%d", began.Sec, began.Usec), info.Proc.P_stat != zombie
}
