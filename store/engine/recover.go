package engine

import (
	"fmt"
	"log/slog"
	"runtime/debug"
)

// RunRecovered runs background work and returns its error. It returns a panic as an error with
// the name of the work, so that the panic does not end the program. It logs the name, the type of
// the panic value and the stack, but not the value, which may quote a memory.
func RunRecovered(log *slog.Logger, name string, work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: a %T", name, p)
			log.Error("panic", "in", name, "with", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
		}
	}()
	return work()
}
