// Package faulttest makes the operating system fail a program under test: it
// runs it under strace, which returns errors from its system calls, kills it
// on one of them, or writes down their order.
package faulttest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Writes are the system calls by which a program changes files.
const Writes = "pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat"

// Strace returns the command that runs cmd, and what it starts, under strace
// with these options. It skips the test where strace is not there, or may not
// trace: seldom anywhere but in a container without the capability.
func Strace(t testing.TB, cmd *exec.Cmd, options ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("strace")
	if err != nil {
		t.Skipf("not checked here: %v (apt-get install strace)", err)
	}
	if err := allowed(path); err != nil {
		t.Skipf("not checked here: strace may not trace: %v", err)
	}
	args := append([]string{"-f", "-qq"}, options...)
	traced := exec.Command(path, append(append(args, "--", cmd.Path), cmd.Args[1:]...)...)
	traced.Env, traced.Dir, traced.Stderr, traced.SysProcAttr = cmd.Env, cmd.Dir, cmd.Stderr, cmd.SysProcAttr
	return traced
}

var (
	tried      sync.Once
	forbidding error
)

// allowed tells why strace may not trace; nil where it may.
func allowed(strace string) error {
	tried.Do(func() { forbidding = exec.Command(strace, "-o", os.DevNull, "true").Run() })
	return forbidding
}

// Full reports whether tortures are to leave nothing out: KOTA_TORTURE=full, as
// `make torture` sets it. Otherwise they are samples that take seconds.
func Full() bool { return os.Getenv("KOTA_TORTURE") == "full" }

// A Call is the n-th call that a thread makes to a system call.
type Call struct {
	Name string
	N    int
}

// Kill is the option of strace by which the program is killed at the call,
// before it is made.
func (c Call) Kill() string {
	return fmt.Sprintf("inject=%s:signal=KILL:when=%d", c.Name, c.N)
}

// Calls are the system calls of the thread that makes most of them, in their
// order, in what strace wrote with -o.
func Calls(trace string) []Call {
	var most []Call
	of, times := map[string][]Call{}, map[string]int{}
	for line := range strings.Lines(trace) {
		thread, call, _ := strings.Cut(line, " ")
		name, _, made := strings.Cut(strings.TrimSpace(call), "(")
		if !made || strings.HasPrefix(name, "<...") || strings.HasPrefix(name, "---") {
			continue
		}
		times[thread+name]++
		of[thread] = append(of[thread], Call{name, times[thread+name]})
		if len(of[thread]) > len(most) {
			most = of[thread]
		}
	}
	return most
}

// Points are the calls at which a torture strikes: each of them when it is
// Full, else some that are spread evenly, with the first and the last.
func Points(calls []Call, some int) []Call {
	if Full() || len(calls) <= some {
		return calls
	}
	points := make([]Call, some)
	for i := range points {
		points[i] = calls[i*(len(calls)-1)/(some-1)]
	}
	return points
}
