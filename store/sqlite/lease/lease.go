// Package lease names the process that holds a row, so that another one can tell
// whether that process has certainly ended.
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

// A process is one run of a program on one machine. The number alone names
// another one on another machine, in another container, and after a while.
type process struct {
	machine string // that runs and its process ids; "" where that cannot be told
	id      int
	start   string // when it began, as the machine counts; "" where that cannot be told
}

// thisProcess is the process that runs this.
var thisProcess = sync.OnceValue(func() process {
	id := os.Getpid()
	start, _ := startOf(id)
	return process{machine: machineID(), id: id, start: start}
})

// NewToken names this process and one taking of a lease by it.
func NewToken() string {
	p := thisProcess()
	return strings.Join([]string{strconv.Itoa(p.id), rand.Text(), p.start, p.machine}, " ")
}

// HolderGone reports whether the process that NewToken named has certainly ended:
// it ran on this machine, and there is none of its number that began when it did.
func HolderGone(holder string) bool {
	parts := strings.Split(holder, " ")
	if len(parts) != 4 {
		return false
	}
	id, err := strconv.Atoi(parts[0])
	this := thisProcess()
	if err != nil || this.machine == "" || this.machine != parts[3] || parts[2] == "" {
		return false
	}
	if ended(id) {
		return true
	}
	start, alive := startOf(id)
	return !alive || start != "" && start != parts[2]
}

// ended reports whether there certainly is no process of that number.
func ended(id int) bool {
	found, err := os.FindProcess(id)
	if err != nil {
		return false
	}
	defer found.Release()
	return errors.Is(found.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
