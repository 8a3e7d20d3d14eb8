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
	NotFound        Code = "NOT_FOUND"         // the requested item does not exist
	Conflict        Code = "CONFLICT"          // the item has changed meanwhile: read it again
	WritesDisabled  Code = "WRITES_DISABLED"   // the profile forbids the call: the hint names the line to change
	ApprovalNeeded  Code = "APPROVAL_REQUIRED" // the user must approve the call first
	Refused         Code = "REFUSED"           // the user or the policy said no
	SignInRequired  Code = "SIGN_IN_REQUIRED"  // nobody is signed in
	ScopeMissing    Code = "SCOPE_MISSING"     // signed in, but without this right
	RateLimited     Code = "RATE_LIMITED"      // wait, then repeat
	Unavailable     Code = "UNAVAILABLE"       // a resource is unreachable or full
	OutcomeUnknown  Code = "OUTCOME_UNKNOWN"   // the effect may have happened: look before repeating
	TooLarge        Code = "TOO_LARGE"         // ask for less
	Internal        Code = "INTERNAL"          // an internal error; the log has the cause
)

// A Problem is one thing wrong with the arguments of a call.
type Problem struct {
	Path       string `json:"path"`                 // JSON path of the argument: "tags[2]"; "" for all arguments
	Expected   string `json:"expected"`             // what the schema requires at Path
	Got        string `json:"got,omitempty"`        // what was sent, shortened
	Suggestion string `json:"suggestion,omitempty"` // a name or value that would fit
}

// An Error has a sentence for a model and a code that says what the caller can do. Its JSON
// is the answer of a failed call.
type Error struct {
	Code      Code            `json:"error"`
	Message   string          `json:"message"`
	Hint      string          `json:"hint,omitempty"` // the next step
	Retryable bool            `json:"retryable"`
	Approval  string          `json:"approval_id,omitempty"` // the id of the pending call
	Problems  []Problem       `json:"problems,omitempty"`
	Schema    json.RawMessage `json:"schema,omitempty"` // the action's input schema, if the arguments did not fit
	Cause     error           `json:"-"`                // only for the log, never for the caller
}

// Error returns the code and the message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the cause, which may be nil.
func (e *Error) Unwrap() error { return e.Cause }

// Errorf returns an Error with the code and the formatted message. A %w operand becomes its
// cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Cause: errors.Unwrap(err)}
}

// BothOrNeither stands in a Problem's Got if Expected is "one of A and B".
const BothOrNeither = "both or neither"

// Invalid returns a VALIDATION_ERROR for arguments that fit their schema but make no sense
// together. It lists the first 20 problems. There must be at least one problem.
func Invalid(problems []Problem) *Error {
	listed := problems[:min(len(problems), maxProblems)]
	sentences := make([]string, 0, len(listed)+1)
	for _, problem := range listed {
		if either, found := strings.CutPrefix(problem.Expected, "one of "); found && problem.Got == BothOrNeither {
			sentences = append(sentences, "give "+strings.Replace(either, " and ", " or ", 1)+", and not both")
			continue
		}
		sentences = append(sentences, problem.Path+" must be "+problem.Expected)
	}
	if more := len(problems) - len(listed); more > 0 {
		sentences = append(sentences, fmt.Sprintf("and %d more", more))
	}
	return &Error{Code: ValidationError, Message: strings.Join(sentences, "; "), Problems: listed}
}

// WithHint sets the next step and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// WithAdvice returns a copy of e with its message and hint changed by advice, or e if advice
// changes nothing. It does not change e, which may be shared.
func (e *Error) WithAdvice(advice func(string) string) *Error {
	message, hint := advice(e.Message), advice(e.Hint)
	if message == e.Message && hint == e.Hint {
		return e
	}
	advised := *e
	advised.Message, advised.Hint = message, hint
	return &advised
}

// CodeOf returns the code of the first Error in err's chain. It returns Internal if there is
// no Error, and "" if err is nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Code
	}
	return Internal
}
