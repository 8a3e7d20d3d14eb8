package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// newHolder names this process and one taking of a letter by it.
func newHolder() string { return fmt.Sprintf("%d %s", os.Getpid(), rand.Text()) }

// Abandoned reports whether somebody was working on the letter who does not any
// more: the lease has run out, or the process has ended. That is for telling
// people. Only a lease that has run out lets somebody else work on it, because
// the number of a process means nothing on another machine.
func (l *Letter) Abandoned() bool {
	working := l.Status == LetterPending || l.Status == LetterSending
	return working && (!l.Held() || !l.holderLives())
}

func (l *Letter) holderLives() bool {
	number, _, _ := strings.Cut(l.holder, " ")
	pid, err := strconv.Atoi(number)
	if err != nil {
		return true
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return false // on Windows that finds the living alone
	}
	defer process.Release()
	return !errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
