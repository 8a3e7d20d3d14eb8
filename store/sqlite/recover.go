package sqlite

import (
	"fmt"
	"runtime/debug"
)

// RunRecovered runs background work. The error and the log contain the name of the work.
// RunRecovered returns a panic as an error, so that the panic does not end the program. The log
// gets the type of the panic value and the stack, but not the value, which may quote a memory.
func (db *DB) RunRecovered(name string, work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: a %T", name, p)
			db.log.Error("panic", "in", name, "with", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
		}
	}()
	return work()
}
