package sqlite

import (
	"fmt"
	"runtime/debug"
)

// RunRecovered runs background work. It returns a panic as an error, so that the panic does not end
// the program. The log gets the type of the panic value and the stack, but not the value, which may
// quote a memory.
func (db *DB) RunRecovered(what string, work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: a %T", what, p)
			db.log.Error("panic", "in", what, "with", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
		}
	}()
	return work()
}
