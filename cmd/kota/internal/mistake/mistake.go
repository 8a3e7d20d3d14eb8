// Package mistake is the error of what a user gave: an argument, a variable of
// the environment, or a line of bundles.yaml. The program prints it as it is and
// ends with exit status 2.
package mistake

import (
	"fmt"
	"strings"
)

// An Error is a mistake in what the user gave. It has one line for each problem,
// written for the user to read.
type Error struct{ Lines []string }

func (e *Error) Error() string { return strings.Join(e.Lines, "\n") }

// Errorf returns an Error of one line.
func Errorf(format string, args ...any) error {
	return &Error{Lines: []string{fmt.Sprintf(format, args...)}}
}
