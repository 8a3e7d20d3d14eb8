package metadata

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A Code says what the caller of an action can do about its failure.
type Code string

const (
	ToolNotFound    Code = "TOOL_NOT_FOUND"    // call one of the names suggested
	ValidationError Code = "VALIDATION_ERROR"  // fix the arguments as listed in Problems
	NotFound        Code = "NOT_FOUND"         // the thing asked for does not exist
	Conflict        Code = "CONFLICT"          // somebody changed it: read it again
	WritesDisabled  Code = "WRITES_DISABLED"   // the profile forbids it: the hint names the line to change
	ApprovalNeeded  Code = "APPROVAL_REQUIRED" // the user must agree first
	Refused         Code = "REFUSED"           // the user or the policy said no
	SignInRequired  Code = "SIGN_IN_REQUIRED"  // nobody is signed in
	ScopeMissing    Code = "SCOPE_MISSING"     // signed in, but without this right
	RateLimited     Code = "RATE_LIMITED"      // wait, then repeat
	Unavailable     Code = "UNAVAILABLE"       // a resource is out of reach or full
	OutcomeUnknown  Code = "OUTCOME_UNKNOWN"   // it may have happened: look before repeating
	TooLarge        Code = "TOO_LARGE"         // ask for less
	Internal        Code = "INTERNAL"          // a fault of KOTA's; the log has the cause
)

// A Problem is one thing wrong with the arguments of a call.
type Problem struct {
	Path       string `json:"path"`                 // JSON path of the argument, "" for the whole: "tags[2]"
	Expected   string `json:"expected"`             // what the schema wants there
	Got        string `json:"got,omitempty"`        // what was sent, shortened
	Suggestion string `json:"suggestion,omitempty"` // a name or value that would do
}

// An Error is a sentence for a model and a code that says what the caller can
// do. Its JSON is what a failed call answers with.
type Error struct {
	Code      Code            `json:"error"`
	Message   string          `json:"message"`
	Hint      string          `json:"hint,omitempty"` // the next step
	Retryable bool            `json:"retryable"`
	Approval  string          `json:"approval_id,omitempty"` // under which the call waits for the user
	Problems  []Problem       `json:"problems,omitempty"`
	Schema    json.RawMessage `json:"schema,omitempty"` // of the action, when its arguments did not fit
	Cause     error           `json:"-"`                // for the log, never for the caller
}

// Error returns the code and the message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the cause, which may be nil.
func (e *Error) Unwrap() error { return e.Cause }

// Errorf returns an Error with that code and message. A %w operand becomes
// its cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Cause: errors.Unwrap(err)}
}

// Invalid returns a VALIDATION_ERROR about arguments that fit their schema and
// cannot be meant all the same. It lists the first 20 problems; there must be
// one.
func Invalid(problems []Problem) *Error {
	listed := problems[:min(len(problems), maxProblems)]
	said := make([]string, 0, len(listed)+1)
	for _, problem := range listed {
		said = append(said, problem.Path+" must be "+problem.Expected)
	}
	if more := len(problems) - len(listed); more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	return &Error{Code: ValidationError, Message: strings.Join(said, "; "), Problems: listed}
}

// WithHint sets the next step and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// Advised returns e with its message and hint as advice has them. An error may be
// shared: it stays as it is.
func (e *Error) Advised(advice func(string) string) *Error {
	message, hint := advice(e.Message), advice(e.Hint)
	if message == e.Message && hint == e.Hint {
		return e
	}
	theirs := *e
	theirs.Message, theirs.Hint = message, hint
	return &theirs
}

// CodeOf returns the code of the first Error in err's chain, Internal if it
// has none, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Code
	}
	return Internal
}
