// Package faulttest tests programs with simulated faults of the operating system. It runs the
// program under strace, which makes system calls return errors, kills the program at a call, or
// records the order of calls.
package faulttest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Writes lists system calls that change or sync files.
const Writes = "pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat"

// Strace returns the command that runs cmd and its children under strace with these options. It
// skips the test if strace is missing or is not allowed to trace. A container without the
// capability SYS_PTRACE does not allow it.
func Strace(t testing.TB, cmd *exec.Cmd, options ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("strace")
	if err != nil {
		t.Skipf("not checked here: %v (apt-get install strace)", err)
	}
	if err := checkStrace(path); err != nil {
		t.Skipf("not checked here: strace is not allowed to trace: %v", err)
	}
	args := append([]string{"-f", "-qq"}, options...)
	traced := exec.Command(path, append(append(args, "--", cmd.Path), cmd.Args[1:]...)...)
	traced.Env, traced.Dir, traced.Stderr, traced.SysProcAttr = cmd.Env, cmd.Dir, cmd.Stderr, cmd.SysProcAttr
	return traced
}

var (
	checkOnce  sync.Once
	traceError error
)

// checkStrace returns an error if strace is not allowed to trace. It checks this once.
func checkStrace(strace string) error {
	checkOnce.Do(func() { traceError = exec.Command(strace, "-o", os.DevNull, "true").Run() })
	return traceError
}

// FullTorture reports whether the tests with faults should cover every case: KOTA_TORTURE=full,
// which `make torture` sets. Otherwise they cover a sample of the cases, which takes seconds.
func FullTorture() bool { return os.Getenv("KOTA_TORTURE") == "full" }

// Sample returns all in full torture runs, and otherwise few, which it logs.
func Sample(t testing.TB, few, all int) int {
	t.Helper()
	if FullTorture() {
		return all
	}
	t.Logf("%d of %d cases are run: `make torture` runs all", few, all)
	return few
}

// An NthCall is the n-th use of one system call by a thread.
type NthCall struct {
	Name string
	N    int
}

// Kill returns the argument of strace's option -e that kills the program at the call, before the
// call is made.
func (c NthCall) Kill() string {
	return fmt.Sprintf("inject=%s:signal=KILL:when=%d", c.Name, c.N)
}

// Calls returns the system calls of the thread with the most calls, in order. trace is
// the output of strace with -o.
func Calls(trace string) []NthCall {
	var most []NthCall
	byName, times := map[string][]NthCall{}, map[string]int{}
	for line := range strings.Lines(trace) {
		thread, call, _ := strings.Cut(line, " ")
		name, _, made := strings.Cut(strings.TrimSpace(call), "(")
		if !made || strings.HasPrefix(name, "<...") || strings.HasPrefix(name, "---") {
			continue
		}
		times[thread+name]++
		byName[thread] = append(byName[thread], NthCall{name, times[thread+name]})
		if len(byName[thread]) > len(most) {
			most = byName[thread]
		}
	}
	return most
}

// KillPoints returns the calls at which a test kills the program. These are all calls if
// FullTorture is true. Otherwise they are at most limit calls, evenly spread, including the first
// and the last. The limit is at least 2.
func KillPoints(calls []NthCall, limit int) []NthCall {
	if FullTorture() || len(calls) <= limit {
		return calls
	}
	points := make([]NthCall, limit)
	for i := range points {
		points[i] = calls[i*(len(calls)-1)/(limit-1)]
	}
	return points
}
