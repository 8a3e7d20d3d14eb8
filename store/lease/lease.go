// Package lease identifies the process that holds a row, so that other processes can detect that
// the holder has certainly ended.
package lease

import (
	"crypto/rand"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// A process is one run of a program on one machine. The process id alone does not identify it:
// other machines and containers use the same ids, and ids are reused.
type process struct {
	machine string // the machine and its namespace of process ids; "" if unknown
	id      int
	start   string // start time, in the unit of the system; "" if unknown
}

// thisProcess returns the current process.
var thisProcess = sync.OnceValue(func() process {
	id := os.Getpid()
	start, _ := startOf(id)
	return process{machine: machineID(), id: id, start: start}
})

// NewToken returns a new token that identifies this process and one lease.
func NewToken() string {
	p := thisProcess()
	return strings.Join([]string{strconv.Itoa(p.id), rand.Text(), p.start, p.machine}, " ")
}

// HolderGone reports whether the process of a token has certainly ended: it ran on this machine,
// and no process has its id and start time.
func HolderGone(token string) bool {
	parts := strings.Split(token, " ")
	if len(parts) != 4 {
		return false
	}
	id, err := strconv.Atoi(parts[0])
	this := thisProcess()
	if err != nil || this.machine == "" || this.machine != parts[3] || parts[2] == "" {
		return false
	}
	if processEnded(id) {
		return true
	}
	start, alive := startOf(id)
	return !alive || start != "" && start != parts[2]
}

// processEnded reports whether certainly no process has that id.
func processEnded(id int) bool {
	found, err := os.FindProcess(id)
	if err != nil {
		return false
	}
	defer found.Release()
	return errors.Is(found.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
