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

// A reportedFault is a fault of KOTA's that the log has under an id.
type reportedFault struct{ error }

func (f reportedFault) Unwrap() error { return f.error }

// reported returns the error as its caller gets it. A fault of KOTA's is logged
// here, once, under an id that the caller gets too: what a person quotes leads to
// the cause, which the caller never sees.
func reported(log *slog.Logger, what string, e *metadata.Error) *metadata.Error {
	if e.Code != metadata.Internal || errors.As(e.Cause, new(reportedFault)) {
		return e
	}
	cause := e.Cause
	if cause == nil {
		cause = e
	}
	id := faultID()
	log.Error("call", "of", what, "id", id, "cause", cause)
	answer := *e
	answer.Message = fmt.Sprintf("%s (id %s)", e.Message, id)
	answer.Cause = reportedFault{cause}
	return &answer
}

// faultID is short enough to be read out, and names one fault among a year's.
func faultID() string {
	var id [4]byte
	_, _ = rand.Read(id[:]) // it never fails: see crypto/rand
	return hex.EncodeToString(id[:])
}

// Report returns the error as its caller gets it: see reported.
func Report(log *slog.Logger, what string, err error) *metadata.Error {
	return reported(log, what, Classify(err))
}

// Panicked logs a panic under an id, with its stack, and returns the error to
// answer with: INTERNAL, with the id. It is called by the function that
// recovered it.
func Panicked(log *slog.Logger, what string, p any) *metadata.Error {
	return reported(log, what, Classify(panicked(p)))
}

// panicked hides what was panicked with, which may quote somebody's mail, from
// the caller and, unless the runtime itself said it, from the log.
func panicked(p any) error {
	what := fmt.Sprintf("a %T", p)
	if fault, ok := p.(runtime.Error); ok {
		what = fault.Error()
	}
	return fmt.Errorf("panic: %s\n%s", what, debug.Stack())
}
