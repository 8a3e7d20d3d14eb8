package entrypoint

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"

	"kota/metadata"
)

// A loggedError is an internal error that is already in the log under an id.
type loggedError struct{ error }

func (f loggedError) Unwrap() error { return f.error }

// Report classifies the error and returns the error that the caller gets. It logs an
// internal error once, with an id. The parameter what is the name of the call in the log.
// Report adds the id to the message. The caller never sees the cause: a person finds it in
// the log by the id.
func Report(log *slog.Logger, what string, err error) *metadata.Error {
	e := Classify(err)
	if e.Code != metadata.Internal || errors.As(e.Cause, new(loggedError)) {
		return e
	}
	cause := e.Cause
	if cause == nil {
		cause = e
	}
	id := errorID()
	log.Error("call", "of", what, "id", id, "cause", cause)
	answer := *e
	answer.Message = fmt.Sprintf("%s (id %s)", e.Message, id)
	answer.Cause = loggedError{cause}
	return &answer
}

// errorID returns an id that is short enough to read out and unique within about a year.
func errorID() string {
	var id [4]byte
	_, _ = rand.Read(id[:]) // it never fails: see crypto/rand
	return hex.EncodeToString(id[:])
}

// ReportPanic logs a panic with its stack under an id. It returns INTERNAL with the id,
// which is the answer to the caller. Call it from the function that recovered the panic.
func ReportPanic(log *slog.Logger, what string, p any) *metadata.Error {
	return Report(log, what, panicError(p))
}

// panicError returns an error for the panic value, with the stack. The value may quote
// somebody's mail, so the error has only the value's type. For an error of the Go runtime, it
// has the text.
func panicError(p any) error {
	what := fmt.Sprintf("a %T", p)
	if fault, ok := p.(runtime.Error); ok {
		what = fault.Error()
	}
	return fmt.Errorf("panic: %s\n%s", what, debug.Stack())
}
