package sqlite

import (
	"fmt"
	"runtime/debug"
)

// Safely runs work that nobody waits for, in a goroutine of its own, where a
// panic would end the program. It is the error of the work instead, and logged
// with its place; what it panicked with, which may quote a memory, is not.
func (db *DB) Safely(what string, work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: a %T", what, p)
			db.log.Error("panic", "in", what, "with", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
		}
	}()
	return work()
}
